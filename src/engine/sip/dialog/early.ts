/** Requests within a dialog that is not answered yet. */
import type { Incoming } from '../transaction/transactions.ts'
import type { LegListener } from './leg.ts'
import { answerPolitely } from './other-requests.ts'
import { allowing, type Core, contactHeader, refuseExtensions, reply } from './user-agent-core.ts'

/** Without reliable provisional answers the first offer is still open: another one has to wait (RFC 3311, 5.2). */
export function answerEarly(core: Core, incoming: Incoming, listener: LegListener | undefined) {
  const { request, flow } = incoming
  const refusal = refuseExtensions(request)
  if (request.method === 'ACK') return
  if (refusal) reply(core, incoming, refusal)
  else if (request.method === 'INVITE') reply(core, incoming, { status: 491 })
  else if (request.method === 'UPDATE' && request.body.length > 0) reply(core, incoming, { status: 491 })
  else if (request.method === 'UPDATE') {
    reply(core, incoming, { status: 200, headers: [contactHeader(core, flow), ...allowing] })
  } else if (request.method === 'INFO' && listener) void answerInfo(core, incoming, listener)
  else answerPolitely(core, incoming)
}

export async function answerInfo(core: Core, incoming: Incoming, listener: LegListener) {
  let status = 500
  try {
    status = await listener.info(incoming.request)
  } catch (err) {
    core.log.error({ err }, 'an INFO could not be taken')
  }
  reply(core, incoming, { status })
}
