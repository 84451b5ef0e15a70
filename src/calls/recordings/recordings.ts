/** Recordings as the API offers them, until they are too old. */
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Timers } from '../../kit/timers.ts'
import type { RecordingStore, StoredRecording } from '../../recordings/port.ts'
import type { Database } from '../../store/database.ts'
import { recordingNameOf } from '../../voice/recordings/recording-intake.ts'
import { markRemoved, selectOutdated, selectRecorded } from '../../voice/recordings/recordings-store.ts'

const daySeconds = 86_400
const batchSize = 200
/** D122: when a recording that is still being moved will be stored. */
const soonSeconds = 5

/** D155: how long a request is held: 1.9 s in all, of calls that ended just now. */
const lookAfterMs = [50, 100, 250, 500, 1000]
const freshSeconds = 10
/** More requests at once are answered without waiting. */
const maxHeld = 100

type Deps = {
  db: Database
  store: RecordingStore
  clock: Clock
  timers: Timers
  /** How long recordings are kept. */
  days: number
}

export type OpenRecording = StoredRecording & { callId: string; recordedAt: Date }

export function createRecordings({ db, store, clock, timers, days }: Deps) {
  let held = 0

  /** Without an account, the recording of any account: the caller has checked a signed link. */
  async function open(callId: string, accountId?: number): Promise<OpenRecording> {
    const call = isUuid(callId) ? await findTaken(callId) : undefined
    if (!call || (accountId !== undefined && call.account_id !== accountId))
      throw refuse('RECORDING_NOT_FOUND')
    if (call.recording === 'spooled') throw refuse('RECORDING_NOT_FOUND', { retryAfter: soonSeconds })
    const found = call.recording === 'stored' ? await store.open(recordingNameOf(call)) : undefined
    if (!found) throw refuse('RECORDING_NOT_FOUND')
    return { ...found, callId: call.id, recordedAt: call.ended_at ?? call.started_at }
  }

  /**
   * D155: the hangup carries the link while the recording is still being moved, which takes a moment. The request of a
   * receiver that fetches at once is held until it is stored, with few and ever rarer looks at the database.
   */
  async function findTaken(callId: string) {
    let [call] = await selectRecorded(db, [callId])
    const isFresh = call?.ended_at && call.ended_at > plusSeconds(clock.now(), -freshSeconds)
    if (call?.recording !== 'spooled' || !isFresh || held >= maxHeld) return call
    held += 1
    try {
      for (const ms of lookAfterMs) {
        await new Promise<void>((resolve) => timers.after(ms, resolve))
        ;[call] = await selectRecorded(db, [callId])
        if (call?.recording !== 'spooled') break
      }
    } finally {
      held -= 1
    }
    return call
  }

  async function sweep() {
    const before = plusSeconds(clock.now(), -days * daySeconds)
    for (;;) {
      const calls = await selectOutdated(db, before, batchSize)
      if (calls.length === 0) return
      for (const call of calls) await store.remove(recordingNameOf(call))
      await markRemoved(
        db,
        calls.map(({ id }) => id),
      )
    }
  }

  return { open, sweep }
}
export type Recordings = ReturnType<typeof createRecordings>
