/**
 * Ends orphaned calls (D116): calls of nodes that are gone, and calls that a living node has not stamped for long.
 * Any number of processes may do it at once; each call ends once. It is billed to its last proof of life.
 */
import type { Credit } from '../billing/credit/credit.ts'
import type { CallAnnouncer } from '../calls/announcer.ts'
import { endInTransaction } from '../calls/events/end-calls.ts'
import { endOrphanedCalls } from '../calls/orphans-store.ts'
import type { SteadyClock } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import type { Database } from '../store/database.ts'
import { deleteOldNodes, isNodeOfCallGone, leaseSeconds } from './nodes-store.ts'

export const sweepSeconds = 5
/** After losing the database, wait before ending other nodes' calls: they may have lost it too. */
const awakeSeconds = 10
const maxGapSeconds = 15
/** Longer than a node goes on without the database (D225), and is then given for its first proof of life. */
const lostSeconds = 75
const maxBatch = 500
const forgetNodesAfter = 24 * 3600

type Deps = {
  db: Database
  clock: Pick<SteadyClock, 'elapsed'>
  log: Log
  announcer: CallAnnouncer
  credit: Pick<Credit, 'takeReservations' | 'price' | 'pay'>
}

export function createOrphanSweep({ db, clock, log, announcer, credit }: Deps) {
  /** In elapsed milliseconds. */
  let awakeSince: number | undefined
  let lastSweep: number | undefined

  /** Returns how many calls it ended. */
  async function tick(): Promise<number> {
    const now = clock.elapsed()
    const away = lastSweep === undefined || now > lastSweep + maxGapSeconds * 1000
    if (away) awakeSince = now
    lastSweep = undefined
    // Also shows whether the database can be written to: if not, this throws, and the wait starts again.
    await deleteOldNodes(db, forgetNodesAfter)
    const ended = now >= (awakeSince ?? now) + awakeSeconds * 1000 ? await endAll() : 0
    lastSweep = now
    if (ended > 0) log.warn({ calls: ended }, 'ended orphaned calls')
    return ended
  }

  async function endAll(): Promise<number> {
    let all = 0
    for (let some = maxBatch; some === maxBatch; all += some) {
      some = await endSome()
    }
    return all
  }

  async function endSome(): Promise<number> {
    const criteria = { isNodeGone: isNodeOfCallGone, silentSeconds: leaseSeconds, lostSeconds, max: maxBatch }
    return await endInTransaction({ db, announcer, credit }, (tx) => endOrphanedCalls(tx, criteria))
  }

  return { tick }
}
