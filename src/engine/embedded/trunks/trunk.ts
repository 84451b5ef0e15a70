/** The settings of a trunk, with its address parsed. */
import { parseUri } from '../../../sip/uri/parse.ts'
import type { SipUri } from '../../../sip/uri/uri.ts'
import type { TrunkSettings } from '../../trunk-settings/trunk-settings.ts'

export type Trunk = Omit<TrunkSettings, 'address'> & { address: SipUri }

export function readTrunk(settings: TrunkSettings): Trunk {
  const address = parseUri(settings.address)
  if (address.scheme !== 'sip' && address.scheme !== 'sips') {
    throw new Error(`the address of trunk ${settings.name} is no SIP URI`)
  }
  return { ...settings, address }
}
