/** Ends calls that no engine reports the end of: price, reservation and event in one transaction. */
import type { Credit } from '../../billing/credit/credit.ts'
import type { Database } from '../../store/database.ts'
import type { CallAnnouncer, CallSnapshot } from '../announcer.ts'
import { priceEnded } from './pricing.ts'

type Deps = {
  db: Database
  announcer: CallAnnouncer
  credit: Pick<Credit, 'takeReservations' | 'price' | 'pay'>
}

/** `end` returns the calls it ended; returns how many they are. */
export async function endInTransaction(
  { db, announcer, credit }: Deps,
  end: (tx: Database) => Promise<CallSnapshot[]>,
): Promise<number> {
  const [ids, receivers] = await db.transaction().execute(async (tx) => {
    const ended = await end(tx)
    const prices = await priceEnded(tx, credit, ended)
    const announcements = ended.map((call) => ({
      ...announcer.announcementOf('channel-hangup', call),
      price: prices.get(call.id) ?? null,
    }))
    return [ended.map(({ id }) => id), await announcer.announce(tx, announcements)] as const
  })
  announcer.publish(receivers)
  announcer.changed(ids)
  return ids.length
}
