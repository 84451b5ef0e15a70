/** Answers requests within a dialog, other than those that end or change an answered session. */
import type { IncomingRequest } from '../transaction/transactions.ts'
import type { EarlyOffers } from './early-offers.ts'
import type { LegListener } from './leg.ts'
import { acceptHeader } from './session-description.ts'
import { supportedTimer } from './session-terms.ts'
import { allowHeader, type Reply, refuseUnsupported, reply, type UserAgentCore } from './user-agent-core.ts'

const replies: Record<string, Reply> = {
  OPTIONS: {
    status: 200,
    headers: [...allowHeader, acceptHeader, ...supportedTimer],
  },
  // For a provisional response that the 2xx has overtaken.
  PRACK: { status: 200 },
  // The transaction layer answers a CANCEL that matches an INVITE; only unknown ones get here.
  CANCEL: { status: 481 },
  REFER: { status: 603 },
  NOTIFY: { status: 489, headers: allowHeader },
  SUBSCRIBE: { status: 489, headers: allowHeader },
}

export function answerOtherRequest(core: UserAgentCore, incoming: IncomingRequest) {
  reply(core, incoming, replies[incoming.request.method] ?? { status: 405, headers: allowHeader })
}

/** For an early dialog. */
export function answerEarlyRequest(
  core: UserAgentCore,
  incoming: IncomingRequest,
  { listener, offers }: { listener: LegListener | undefined; offers: EarlyOffers },
) {
  const { request } = incoming
  const refusal = refuseUnsupported(request)
  if (request.method === 'ACK') return
  if (refusal) reply(core, incoming, refusal)
  else if (request.method === 'INVITE') reply(core, incoming, { status: 491 })
  else if (request.method === 'UPDATE') offers.receive(incoming)
  else if (request.method === 'INFO' && listener) void answerInfo(core, incoming, listener)
  else answerOtherRequest(core, incoming)
}

export async function answerInfo(core: UserAgentCore, incoming: IncomingRequest, listener: LegListener) {
  let status = 500
  try {
    status = await listener.onInfo(incoming.request)
  } catch (err) {
    core.log.error({ err }, 'an INFO could not be handled')
  }
  reply(core, incoming, { status })
}
