/** Answers to what may come within a dialog and is no business of it. */
import type { Incoming } from '../transaction/transactions.ts'
import { knowingTimers } from './session/session-terms.ts'
import { allowing, type Core, type Reply, reply } from './user-agent-core.ts'

const answers: Record<string, Reply> = {
  OPTIONS: {
    status: 200,
    headers: [...allowing, ['Accept', 'application/sdp'], ...knowingTimers],
  },
  // Nothing of ours is reliable that it could acknowledge; there are phones that send it anyway.
  PRACK: { status: 200 },
  // One that we know is never seen here.
  CANCEL: { status: 481 },
  REFER: { status: 603 },
  NOTIFY: { status: 489, headers: allowing },
  SUBSCRIBE: { status: 489, headers: allowing },
}

export function answerPolitely(core: Core, incoming: Incoming) {
  reply(core, incoming, answers[incoming.request.method] ?? { status: 405, headers: allowing })
}
