/** What a carrier's INVITE says of itself: whom it wants, and who is calling. */
import type { Party } from '../../port.ts'
import { type Address, parseAddress } from '../../sip/headers/address.ts'
import * as parties from '../../sip/headers/parties.ts'
import { listValues, type SipRequest, values } from '../../sip/message/message.ts'
import type { Uri } from '../../sip/uri/uri.ts'
import { readCarrierNumber } from './number-format.ts'
import type { Trunk } from './trunk.ts'

export type Arriving = { dialled: string; callerId: Party | undefined }

export function readArriving(trunk: Trunk, request: SipRequest): Arriving {
  const { format, login } = trunk
  const wanted = userOf(request.uri)
  // To a phone that registered, some carriers send its own name and leave the number in To.
  const isOurName = trunk.register && wanted === login?.username
  const dialled = (isOurName ? userOf(parties.to(request).uri) : wanted) ?? ''
  return { dialled: readCarrierNumber(dialled, format), callerId: callerOf(request, trunk) }
}

/** The asserted identity is the carrier's word, and not for others to see if the caller wished so; From is the caller's. */
function callerOf(request: SipRequest, { format }: Trunk): Party | undefined {
  for (const address of [...asserted(request), parties.from(request)]) {
    const user = userOf(address.uri)
    if (user === undefined || /^(?:anonymous|unavailable|restricted)$/i.test(user)) continue
    const name = address.name || undefined
    return { number: readCarrierNumber(user, format), ...(name === undefined ? {} : { name }) }
  }
  return undefined
}

/** RFC 3325. One that cannot be read asserts nothing. */
function asserted(request: SipRequest): Address[] {
  const privacy = values(request, 'Privacy').flatMap((value) => value.toLowerCase().split(/[;,\s]+/))
  if (privacy.includes('id')) return []
  try {
    return listValues(request, 'P-Asserted-Identity').map(parseAddress)
  } catch {
    return []
  }
}

function userOf(uri: Uri): string | undefined {
  if (uri.scheme === 'tel') return uri.number
  // What follows `;` in a user belongs to the number's parameters (RFC 3261, 19.1.6).
  return uri.scheme === 'other' ? undefined : uri.user?.split(';', 1)[0] || undefined
}
