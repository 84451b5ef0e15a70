/** Requests within a dialog that is not answered yet. */
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { LegListener } from './leg.ts'
import { answerOtherRequest } from './other-requests.ts'
import {
  allowHeader,
  contactHeader,
  refuseUnsupported,
  reply,
  type UserAgentCore,
} from './user-agent-core.ts'

/** Without reliable provisional answers the first offer is still open: another one has to wait (RFC 3311, 5.2). */
export function answerEarly(
  core: UserAgentCore,
  incoming: IncomingRequest,
  listener: LegListener | undefined,
) {
  const { request, flow } = incoming
  const refusal = refuseUnsupported(request)
  if (request.method === 'ACK') return
  if (refusal) reply(core, incoming, refusal)
  else if (request.method === 'INVITE') reply(core, incoming, { status: 491 })
  else if (request.method === 'UPDATE' && request.body.length > 0) reply(core, incoming, { status: 491 })
  else if (request.method === 'UPDATE') {
    reply(core, incoming, { status: 200, headers: [contactHeader(core, flow), ...allowHeader] })
  } else if (request.method === 'INFO' && listener) void answerInfo(core, incoming, listener)
  else answerOtherRequest(core, incoming)
}

export async function answerInfo(core: UserAgentCore, incoming: IncomingRequest, listener: LegListener) {
  let status = 500
  try {
    status = await listener.onInfo(incoming.request)
  } catch (err) {
    core.log.error({ err }, 'an INFO could not be taken')
  }
  reply(core, incoming, { status })
}
