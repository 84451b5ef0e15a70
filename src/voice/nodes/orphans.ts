/**
 * Ends orphaned calls (D116): calls of nodes whose lease ran out, and calls that a living node has not stamped for long.
 * Any number of processes may do it at once; each call ends once. It is billed to its last proof of life.
 */
import type { Credit } from '../../billing/credit/credit.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import type { Database } from '../../store/database.ts'
import type { CallAnnouncer } from '../announcer.ts'
import { priceEnded } from '../events/pricing.ts'
import { leaseSeconds } from './lease.ts'
import { deleteOldNodes, endOrphanedCalls } from './nodes-store.ts'

export const sweepSeconds = 5
/** After losing the database, wait before ending other nodes' calls: they may have lost it too. */
const awakeSeconds = 10
const maxGapSeconds = 15
const lostSeconds = 40
const maxBatch = 500
const forgetNodesAfter = 24 * 3600

type Deps = { db: Database; clock: Clock; log: Log; announcer: CallAnnouncer; credit: Pick<Credit, 'settle'> }

export function createOrphanSweep({ db, clock, log, announcer, credit }: Deps) {
  let awakeSince: Date | undefined
  let lastSweep: Date | undefined

  /** Returns how many calls it ended. */
  async function tick(): Promise<number> {
    const now = clock.now()
    const away = !lastSweep || now > plusSeconds(lastSweep, maxGapSeconds)
    if (away) awakeSince = now
    lastSweep = undefined
    // Also shows whether the database can be written to: if not, this throws, and the wait starts again.
    await deleteOldNodes(db, plusSeconds(now, -forgetNodesAfter))
    const ended = now >= plusSeconds(awakeSince ?? now, awakeSeconds) ? await endAll(now) : 0
    lastSweep = now
    if (ended > 0) log.warn({ calls: ended }, 'ended orphaned calls')
    return ended
  }

  async function endAll(now: Date): Promise<number> {
    let all = 0
    for (let some = maxBatch; some === maxBatch; all += some) {
      some = await endSome(now)
    }
    return all
  }

  async function endSome(now: Date): Promise<number> {
    const [count, receivers] = await db.transaction().execute(async (tx) => {
      const ended = await endOrphanedCalls(tx, {
        now,
        silentSince: plusSeconds(now, -leaseSeconds),
        lostSince: plusSeconds(now, -lostSeconds),
        max: maxBatch,
      })
      await priceEnded(tx, credit, ended)
      const announcements = ended.map((call) => announcer.announcementOf('channel-hangup', call))
      return [ended.length, await announcer.announce(tx, announcements)] as const
    })
    announcer.publish(receivers)
    return count
  }

  return { tick }
}
