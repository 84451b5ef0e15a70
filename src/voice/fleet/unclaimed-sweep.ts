/** Ends calls whose node did not claim them in time (D240): each once, by whichever process comes first. */
import type { Credit } from '../../billing/credit/credit.ts'
import { endUnclaimedCalls } from '../../calls/admission/unclaimed-store.ts'
import type { CallAnnouncer } from '../../calls/announcer.ts'
import { endInTransaction } from '../../calls/events/end-calls.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Database } from '../../store/database.ts'

const maxBatch = 500

type Deps = {
  db: Database
  log: Log
  announcer: CallAnnouncer
  credit: Pick<Credit, 'takeReservations' | 'price' | 'pay'>
}

export function createUnclaimedSweep({ db, log, announcer, credit }: Deps) {
  /** Returns how many calls it ended. */
  async function tick(): Promise<number> {
    const ended = await endInTransaction({ db, announcer, credit }, (tx) => endUnclaimedCalls(tx, maxBatch))
    if (ended > 0) log.warn({ calls: ended }, 'ended calls that no node claimed')
    return ended
  }

  return { tick }
}
