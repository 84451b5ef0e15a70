/** Requests outside of dialogs, other than INVITE and REGISTER: only OPTIONS is supported. */
import { randomBase62 } from '../../kit/ids.ts'
import { acceptHeader } from '../../sip/dialog/session-description.ts'
import { type Reply, refuseUnsupported } from '../../sip/dialog/user-agent-core.ts'
import type { SipRequest } from '../../sip/message/message.ts'
import { buildResponse } from '../../sip/message/response.ts'
import type { IncomingRequest } from '../../sip/transaction/transactions.ts'

/** Our name in SIP: by it another start on the same machine recognises who has the port. */
export const sipProduct = 'Ramal'

const allow = ['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, PRACK, REFER, REGISTER'] as const

export function answerOther({ request, respond }: IncomingRequest) {
  const { status, headers = [] } = answerTo(request)
  respond(buildResponse(request, status, { toTag: randomBase62(12), headers }))
}

/** Checks in the order of RFC 3261, 8.2: method, URI scheme, required extensions. */
function answerTo(request: SipRequest): Reply {
  // RFC 6665, 4.1.3: no event package is supported.
  const isAboutEvents = request.method === 'SUBSCRIBE' || request.method === 'PUBLISH'
  if (request.method !== 'OPTIONS') return { status: isAboutEvents ? 489 : 405, headers: [allow] }
  if (request.uri.scheme === 'other') return { status: 416 }
  const capabilities = [allow, acceptHeader, ['Supported', 'timer, 100rel'], ['Server', sipProduct]] as const
  return refuseUnsupported(request) ?? { status: 200, headers: capabilities }
}
