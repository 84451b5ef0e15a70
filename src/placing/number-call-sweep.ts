/** Ends calls for numbers whose process died before it stored their end, and removes old ones. */
import type { Credit } from '../billing/credit/credit.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { callSeconds, daySeconds } from '../numbers/call-limits.ts'
import { deleteNumberCalls, endLostCalls } from '../numbers/number-calls-store.ts'
import type { Database } from '../store/database.ts'

/** The end of a call is stored within this time after the longest call, or never. */
const lostSeconds = callSeconds + 120
const keptSeconds = 30 * daySeconds
const maxBatch = 100

type Deps = { db: Database; clock: Clock; credit: Pick<Credit, 'settle'> }

export function createNumberCallSweep({ db, clock, credit }: Deps) {
  /** They cost nothing: nobody knows how long they lasted. */
  async function endLost() {
    const now = clock.now()
    await db.transaction().execute(async (tx) => {
      const startedBefore = plusSeconds(now, -lostSeconds)
      const lost = await endLostCalls(tx, { now, startedBefore, max: maxBatch })
      const unpaid = lost.map(({ id, accountId, number }) => ({
        callId: id,
        accountId,
        destination: number,
        seconds: 0,
      }))
      await credit.settle(tx, unpaid)
    })
  }

  const sweep = () => deleteNumberCalls(db, plusSeconds(clock.now(), -keptSeconds))

  return { endLost, sweep }
}
