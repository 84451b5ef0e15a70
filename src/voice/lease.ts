/**
 * A voice node says that it lives: it renews its lease and stamps the calls it carries, every few seconds. What
 * others have ended meanwhile, because they heard nothing of it for too long, it lets go of: an end is for ever.
 */
import type { VoiceEngine } from '../engine/port.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { deleteNode, renewNode, stampCalls } from './nodes-store.ts'

export const renewSeconds = 5
/** Missed four times, a node counts as dead. */
export const leaseSeconds = 20
/** What was stamped at the last renewal is stale by now, what moved since is not. */
const freshSeconds = renewSeconds - 1
/** So many calls at once, that those who move them meanwhile do not wait. */
const mostTogether = 200

type Deps = { db: Database; clock: Clock; engine: Pick<VoiceEngine, 'liveCalls' | 'hangUp'>; node: string }

export function createLease({ db, clock, engine, node }: Deps) {
  const startedAt = clock.now()

  async function tick() {
    const now = clock.now()
    await renewNode(db, { id: node, startedAt, leaseUntil: plusSeconds(now, leaseSeconds) })
    const live = engine.liveCalls()
    const staleSince = plusSeconds(now, -freshSeconds)
    for (let begin = 0; begin < live.length; begin += mostTogether) {
      const ids = live.slice(begin, begin + mostTogether)
      const stillOurs = new Set(await stampCalls(db, { node, now, staleSince, ids }))
      for (const id of ids) if (!stillOurs.has(id)) engine.hangUp(id, 'RECOVERY_ON_TIMER_EXPIRE')
    }
  }

  return { tick, release: () => deleteNode(db, node) }
}
