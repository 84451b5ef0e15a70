/** The called number and the caller of a carrier's INVITE. */

import { type Address, parseAddress } from '../../../sip/headers/address.ts'
import * as parties from '../../../sip/headers/parties.ts'
import { requestsPrivacy } from '../../../sip/headers/privacy.ts'
import { listValues, type SipRequest } from '../../../sip/message/message.ts'
import type { Uri } from '../../../sip/uri/uri.ts'
import type { Party } from '../../port.ts'
import { readCarrierNumber } from './number-format.ts'
import type { Trunk } from './trunk.ts'

export type InboundInvite = { dialled: string; callerId: Party | undefined }

export function readInboundInvite(trunk: Trunk, request: SipRequest): InboundInvite {
  const { format, login } = trunk
  const requestUser = userOf(request.uri)
  // Where we registered, some carriers put our username into the Request-URI and the number into To.
  const isOurName = trunk.register && requestUser === login?.username
  const dialled = (isOurName ? userOf(parties.to(request).uri) : requestUser) ?? ''
  return { dialled: readCarrierNumber(dialled, format), callerId: callerOf(request, trunk) }
}

/** The identity asserted by the carrier, else From, which the caller chose. D268: none if the caller requests privacy. */
function callerOf(request: SipRequest, { format }: Trunk): Party | undefined {
  if (requestsPrivacy(request)) return undefined
  for (const address of [...asserted(request), parties.from(request)]) {
    const user = userOf(address.uri)
    if (user === undefined || /^(?:anonymous|unavailable|restricted)$/i.test(user)) continue
    const name = address.name || undefined
    return { number: readCarrierNumber(user, format), ...(name === undefined ? {} : { name }) }
  }
  return undefined
}

/** RFC 3325. A malformed header asserts nothing. */
function asserted(request: SipRequest): Address[] {
  try {
    return listValues(request, 'P-Asserted-Identity').map(parseAddress)
  } catch {
    return []
  }
}

function userOf(uri: Uri): string | undefined {
  if (uri.scheme === 'tel') return uri.number
  // After `;` come the parameters of the number (RFC 3261, 19.1.6).
  return uri.scheme === 'other' ? undefined : uri.user?.split(';', 1)[0] || undefined
}
