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

type Deps = { db: Database; clock: Clock; engine: Pick<VoiceEngine, 'liveCalls' | 'hangUp'>; node: string }

export function createLease({ db, clock, engine, node }: Deps) {
  const startedAt = clock.now()

  async function tick() {
    const now = clock.now()
    await renewNode(db, { id: node, startedAt, leaseUntil: plusSeconds(now, leaseSeconds) })
    const live = engine.liveCalls()
    if (live.length === 0) return
    const stillOurs = new Set(await stampCalls(db, node, now, live))
    for (const id of live) if (!stillOurs.has(id)) engine.hangUp(id, 'RECOVERY_ON_TIMER_EXPIRE')
  }

  return { tick, release: () => deleteNode(db, node) }
}
