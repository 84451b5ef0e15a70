/** Writes down what became of attempts, many at once: what comes while one batch is written goes with the next. */
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import { storeOrSplit } from '../../store/batcher.ts'
import type { Database } from '../../store/database.ts'
import { type AttemptRecord, giveUp, record, recordTrouble, type Trouble } from './deliveries-store.ts'
import { overdueBefore } from './schedule.ts'

const mostAtOnce = 500

type Finished = { record: AttemptRecord; trouble: Trouble | null; resting: boolean }

type Deps = {
  db: Database
  clock: Clock
  log: Log
  /** Which integrations have something to send again, and of which something was recorded. */
  onRecorded: (released: number[], recorded: number[]) => void
}

export function createRecorder({ db, clock, log, onRecorded }: Deps) {
  const finished: Finished[] = []
  let writing = false

  function add(one: Finished) {
    finished.push(one)
    nudge()
  }

  function nudge() {
    if (!writing && finished.length > 0) void write()
  }

  async function write() {
    writing = true
    while (finished.length > 0) {
      const batch = finished.splice(0, mostAtOnce)
      try {
        // An attempt that cannot be recorded is dropped; its delivery is sent again when the lease ends.
        const released = await storeOrSplit(batch, {
          store,
          onRejected: ({ record: attempt }, error) =>
            log.error({ err: error, ...attempt }, 'webhooks: attempt not recorded'),
        })
        onRecorded(released.flat(), [...new Set(batch.map((one) => one.record.integrationId))])
      } catch (error) {
        // Kept until the next tick. There are never more of them than may be under way: claiming needs the database too.
        finished.unshift(...batch)
        log.warn({ err: error, attempts: batch.length }, 'webhooks: attempts wait to be recorded')
        break
      }
    }
    writing = false
    if (finished.length === 0) onRecorded([], [])
  }

  async function store(batch: Finished[]): Promise<number[]> {
    const now = clock.now()
    const troubles = lastTroubles(batch)
    const resting = new Set(batch.flatMap((one) => (one.resting ? [one.record.integrationId] : [])))
    return await db.transaction().execute(async (tx) => {
      const released = await record(
        tx,
        batch.map((one) => one.record),
        now,
      )
      for (const id of resting) {
        released.push(
          ...(await giveUp(tx, id, overdueBefore(now), 'the webhook could not be reached in time', now)),
        )
      }
      if (troubles.size > 0) await recordTrouble(tx, [...troubles.values()])
      return released
    })
  }

  return { add, nudge, isEmpty: () => finished.length === 0 && !writing }
}

/** Of each integration the last, and whether any of them said that it is gone. */
function lastTroubles(batch: Finished[]): Map<number, Trouble> {
  const last = new Map<number, Trouble>()
  for (const { trouble } of batch) {
    if (!trouble) continue
    const gone = trouble.gone || last.get(trouble.integrationId)?.gone === true
    last.set(trouble.integrationId, { ...trouble, gone })
  }
  return last
}
