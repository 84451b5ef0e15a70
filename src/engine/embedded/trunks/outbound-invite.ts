/** The INVITE to a number over a trunk: Request-URI, From, To, asserted identity and login. */

import { type Address, formatAddress } from '../../../sip/headers/address.ts'
import { noParams } from '../../../sip/syntax/params.ts'
import { type SipUri, sipUri } from '../../../sip/uri/uri.ts'
import type { InviteOptions } from '../../../sip/user-agent/outgoing-invite.ts'
import type { Party } from '../../port.ts'
import { writeCarrierNumber } from './number-format.ts'
import type { Trunk } from './trunk.ts'

export type OutboundInvite = Pick<InviteOptions, 'uri' | 'from' | 'to'> &
  Required<Pick<InviteOptions, 'headers'>> &
  Pick<InviteOptions, 'login'>

/**
 * D11: without a `presented` number the destination is shown that of the trunk. D268: of a private call the carrier knows
 * the number, and is requested to show it to nobody.
 */
export function outboundInvite(
  trunk: Trunk,
  number: string,
  presented: Party | undefined,
  isPrivate = false,
): OutboundInvite {
  const { address, login, format } = trunk
  const shown = presented ?? (trunk.callerId === undefined ? undefined : { number: trunk.callerId })
  const called = writeCarrierNumber(number, format)
  const identity = shown && addressOf(trunk, writeCarrierNumber(shown.number, format), shown.name)
  const sender =
    trunk.from === 'username' && login
      ? addressOf(trunk, login.username, isPrivate ? undefined : shown?.name)
      : isPrivate
        ? withheld
        : (identity ?? anonymous(trunk))
  return {
    uri: { ...address, user: called },
    from: sender,
    to: addressOf(trunk, called, undefined),
    headers: [
      ...(identity ? ([['P-Asserted-Identity', formatAddress(identity)]] as const) : []),
      ...(isPrivate ? ([['Privacy', 'id']] as const) : []),
    ],
    ...(login ? { login } : {}),
  }
}

const addressOf = ({ address }: Trunk, user: string, name: string | undefined): Address => ({
  name,
  uri: uriAtCarrier(address, user),
  params: noParams,
})

/** In the carrier's own domain, where our numbers are known. */
function uriAtCarrier({ host, port }: SipUri, user: string): SipUri {
  return sipUri({ user, host, port })
}

/** D192: without any number the carrier presents its own, or none: it knows the trunk by its login. */
const anonymous = (trunk: Trunk): Address => addressOf(trunk, trunk.login?.username ?? 'anonymous', undefined)

/** RFC 3323, 4.1.1.3. */
const withheld: Address = {
  name: 'Anonymous',
  uri: sipUri({ user: 'anonymous', host: 'anonymous.invalid' }),
  params: noParams,
}
