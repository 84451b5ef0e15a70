/** Records finished attempts in batches: while one batch is written, new ones wait for the next. */
import { recordFailures, type WebhookFailure } from '../../integrations/failures-store.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import { createBatchStore } from '../../store/batch-store.ts'
import type { Database } from '../../store/database.ts'
import { type AttemptRecord, giveUpOverdue, recordAttempts } from './claims-store.ts'
import { overdueBefore } from './schedule.ts'

const maxBatch = 500

type FinishedAttempt = {
  record: AttemptRecord
  failure: WebhookFailure | null
  /** The webhook is paused because it keeps failing (lanes.ts). */
  isPaused: boolean
}

type Deps = {
  db: Database
  clock: Clock
  log: Log
  /** Integrations with deliveries that can be sent now, and integrations of which attempts were recorded. */
  onRecorded: (released: number[], recorded: number[]) => void
  /** Called after the commit, for those who watch deliveries live (D298). */
  onAttempts?: OnAttempts | undefined
}

export type OnAttempts = (attempts: Pick<AttemptRecord, 'integrationId' | 'eventId'>[]) => void

export function createRecorder({ db, clock, log, onRecorded, onAttempts }: Deps) {
  const waiting: FinishedAttempt[] = []
  let isWriting = false
  const storeBatch = createBatchStore({ store, keyOf: (attempt) => attempt, onRejected })

  function add(attempt: FinishedAttempt) {
    waiting.push(attempt)
    flush()
  }

  function flush() {
    if (!isWriting && waiting.length > 0) void writeAll()
  }

  async function writeAll() {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      const { results, retry, error } = await storeBatch(batch)
      const unrecorded = new Set(retry)
      const recorded = batch.filter((attempt) => !unrecorded.has(attempt))
      if (recorded.length > 0) {
        onAttempts?.(recorded.map(({ record }) => record))
        onRecorded(results.flat(), [...new Set(recorded.map(({ record }) => record.integrationId))])
      }
      if (retry.length > 0) {
        // Kept until the next tick. Their number is bounded by the attempts in flight: claiming needs the database too.
        waiting.unshift(...retry)
        log.warn({ err: error, attempts: retry.length }, 'webhooks: attempts wait to be recorded')
        break
      }
    }
    isWriting = false
    if (waiting.length === 0) onRecorded([], [])
  }

  /** The attempt is dropped; its delivery is sent again when the lease ends. */
  function onRejected({ record }: FinishedAttempt, error: unknown) {
    log.error({ err: error, ...record }, 'webhooks: attempt not recorded')
  }

  /** Returns the integrations with deliveries that can be sent now. */
  async function store(batch: FinishedAttempt[]): Promise<number[]> {
    const now = clock.now()
    const failures = lastFailures(batch)
    const paused = batch.filter(({ isPaused }) => isPaused).map(({ record }) => record.integrationId)
    return await db.transaction().execute(async (tx) => {
      const records = batch.map(({ record }) => record)
      const released = await recordAttempts(tx, records, now)
      for (const id of new Set(paused)) {
        const reason = 'the webhook could not be reached in time'
        released.push(...(await giveUpOverdue(tx, id, overdueBefore(now), reason, now)))
      }
      if (failures.length > 0) await recordFailures(tx, failures)
      return released
    })
  }

  return { add, flush, isEmpty: () => waiting.length === 0 && !isWriting }
}

/** The last failure of each integration, marked as gone if any failure of the batch was. */
function lastFailures(batch: FinishedAttempt[]): WebhookFailure[] {
  const last = new Map<number, WebhookFailure>()
  for (const { failure } of batch) {
    if (!failure) continue
    const isGone = failure.isGone || last.get(failure.integrationId)?.isGone === true
    last.set(failure.integrationId, { ...failure, isGone })
  }
  return [...last.values()]
}
