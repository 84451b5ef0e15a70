/** Requests outside of calls that are no REGISTER: one may ask what we can, and nothing else. */
import { randomBase62 } from '../../kit/ids.ts'
import { type Reply, refuseUnsupported } from '../sip/dialog/user-agent-core.ts'
import type { SipRequest } from '../sip/message/message.ts'
import { buildResponse } from '../sip/message/response.ts'
import type { IncomingRequest } from '../sip/transaction/transactions.ts'

const allow = ['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REGISTER'] as const

export function answerOther({ request, respond }: IncomingRequest) {
  const { status, headers = [] } = answerTo(request)
  respond(buildResponse(request, status, { toTag: randomBase62(12), headers }))
}

/** In the order of RFC 3261, 8.2: the method, the scheme, what is required. */
function answerTo(request: SipRequest): Reply {
  // RFC 6665, 4.1.3: we tell nobody of any event.
  const ofEvents = request.method === 'SUBSCRIBE' || request.method === 'PUBLISH'
  if (request.method !== 'OPTIONS') return { status: ofEvents ? 489 : 405, headers: [allow] }
  if (request.uri.scheme === 'other') return { status: 416 }
  const able = [allow, ['Accept', 'application/sdp'], ['Supported', 'timer']] as const
  return refuseUnsupported(request) ?? { status: 200, headers: able }
}
