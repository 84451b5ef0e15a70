/**
 * Ends the calls that nobody carries any more: of nodes whose lease ran out, and those their node, though alive,
 * has not stamped for long (D116). Any process may do it, any number at once; each call ends once. Billed to the last
 * proof of life.
 */
import type { Credit } from '../billing/credit/credit.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Database } from '../store/database.ts'
import type { CallAnnouncer } from './announcer.ts'
import { leaseSeconds } from './lease.ts'
import { deleteOldNodes, endOrphanedCalls, readAnyNode } from './nodes-store.ts'
import { priceEnded } from './pricing.ts'

export const lookSeconds = 5
/** Who was away himself must not judge others: they may have missed the same database. */
const awakeSeconds = 10
const longestGap = 15
const lostSeconds = 40
const mostAtOnce = 500
const forgetNodesAfter = 24 * 3600

type Deps = { db: Database; clock: Clock; log: Log; announcer: CallAnnouncer; credit: Pick<Credit, 'settle'> }

export function createOrphanSweep({ db, clock, log, announcer, credit }: Deps) {
  let awakeSince: Date | undefined
  let lastLook: Date | undefined

  /** How many calls it ended. */
  async function tick(): Promise<number> {
    const now = clock.now()
    const away = !lastLook || now > plusSeconds(lastLook, longestGap)
    if (away) awakeSince = now
    lastLook = undefined
    const ended = now >= plusSeconds(awakeSince ?? now, awakeSeconds) ? await endAll(now) : await reach()
    lastLook = now
    if (ended > 0) log.warn({ calls: ended }, 'ended calls that no voice node carries any more')
    return ended
  }

  async function endAll(now: Date): Promise<number> {
    let all = 0
    for (let some = mostAtOnce; some === mostAtOnce; all += some) {
      some = await endSome(now)
    }
    await deleteOldNodes(db, plusSeconds(now, -forgetNodesAfter))
    return all
  }

  async function endSome(now: Date): Promise<number> {
    const [count, receivers] = await db.transaction().execute(async (tx) => {
      const ended = await endOrphanedCalls(tx, {
        now,
        silentSince: plusSeconds(now, -leaseSeconds),
        lostSince: plusSeconds(now, -lostSeconds),
        most: mostAtOnce,
      })
      await priceEnded(tx, credit, ended)
      const announcements = ended.map((call) => announcer.announcementOf('channel-hangup', call))
      return [ended.length, await announcer.announce(tx, announcements)] as const
    })
    announcer.publish(receivers)
    return count
  }

  /** Fails when the database is away, and with it the claim to have been awake. */
  async function reach(): Promise<number> {
    await readAnyNode(db)
    return 0
  }

  return { tick }
}
