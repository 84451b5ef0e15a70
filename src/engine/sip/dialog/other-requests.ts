/** Answers to what may come within a dialog and is no business of it. */
import type { IncomingRequest } from '../transaction/transactions.ts'
import { supportedTimer } from './session/session-terms.ts'
import { allowHeader, type Reply, reply, type UserAgentCore } from './user-agent-core.ts'

const answers: Record<string, Reply> = {
  OPTIONS: {
    status: 200,
    headers: [...allowHeader, ['Accept', 'application/sdp'], ...supportedTimer],
  },
  // Nothing of ours is reliable that it could acknowledge; there are phones that send it anyway.
  PRACK: { status: 200 },
  // One that we know is never seen here.
  CANCEL: { status: 481 },
  REFER: { status: 603 },
  NOTIFY: { status: 489, headers: allowHeader },
  SUBSCRIBE: { status: 489, headers: allowHeader },
}

export function answerOtherRequest(core: UserAgentCore, incoming: IncomingRequest) {
  reply(core, incoming, answers[incoming.request.method] ?? { status: 405, headers: allowHeader })
}
