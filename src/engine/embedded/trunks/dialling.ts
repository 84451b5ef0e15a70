/** How a number is dialled over a trunk: the request's address, who it is from, and the login. */
import type { Party } from '../../port.ts'
import type { InviteOptions } from '../../sip/dialog/leg.ts'
import { type Address, formatAddress } from '../../sip/headers/address.ts'
import { noParams } from '../../sip/syntax/params.ts'
import { type SipUri, sipUri } from '../../sip/uri/uri.ts'
import { writeCarrierNumber } from './number-format.ts'
import type { Trunk } from './trunk.ts'

export type Dialling = Pick<InviteOptions, 'uri' | 'from' | 'to'> &
  Required<Pick<InviteOptions, 'headers'>> &
  Pick<InviteOptions, 'login'>

/** `presented` is what the destination is shown; without one the trunk's own number is (D11). */
export function dialling(trunk: Trunk, number: string, presented: Party | undefined): Dialling {
  const { address, login, format } = trunk
  const shown = presented ?? (trunk.callerId === undefined ? undefined : { number: trunk.callerId })
  const called = writeCarrierNumber(number, format)
  const identity = shown && person(trunk, writeCarrierNumber(shown.number, format), shown.name)
  const sender =
    trunk.from === 'username' && login
      ? person(trunk, login.username, shown?.name)
      : (identity ?? nobody(trunk))
  return {
    uri: { ...address, user: called },
    from: sender,
    to: person(trunk, called, undefined),
    headers: identity ? [['P-Asserted-Identity', formatAddress(identity)]] : [],
    ...(login ? { login } : {}),
  }
}

const person = ({ address }: Trunk, user: string, name: string | undefined): Address => ({
  name,
  uri: homeOf(address, user),
  params: noParams,
})

/** In the carrier's own domain: there our numbers are known. */
function homeOf({ host, port }: SipUri, user: string): SipUri {
  return sipUri({ user, host, port })
}

const nobody = (trunk: Trunk): Address => person(trunk, trunk.login?.username ?? 'anonymous', undefined)
