/** Requests outside of calls that are no REGISTER: one may ask what we can, and nothing else. */
import { randomBase62 } from '../../kit/ids.ts'
import { buildResponse } from '../sip/message/response.ts'
import type { Incoming } from '../sip/transaction/transactions.ts'

const allow = ['Allow', 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, REGISTER'] as const

export function answerOther({ request, respond }: Incoming) {
  const toTag = randomBase62(12)
  if (request.method === 'OPTIONS') {
    const headers = [allow, ['Accept', 'application/sdp'], ['Supported', 'timer']] as const
    return respond(buildResponse(request, 200, { toTag, headers }))
  }
  // RFC 6665, 4.1.3: we tell nobody of any event.
  const status = request.method === 'SUBSCRIBE' || request.method === 'PUBLISH' ? 489 : 405
  respond(buildResponse(request, status, { toTag, headers: [allow] }))
}
