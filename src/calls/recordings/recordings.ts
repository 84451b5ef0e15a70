/** Recordings as the API offers them, until they are too old. */
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { RecordingStore, StoredRecording } from '../../recordings/port.ts'
import type { Database } from '../../store/database.ts'
import { recordingNameOf } from '../../voice/recordings/recording-intake.ts'
import { markRemoved, selectOutdated, selectRecorded } from '../../voice/recordings/recordings-store.ts'

const daySeconds = 86_400
const batchSize = 200
/** D122: when a recording that is still being moved will be stored. */
const soonSeconds = 5

type Deps = {
  db: Database
  store: RecordingStore
  clock: Clock
  /** How long recordings are kept. */
  days: number
}

export type OpenRecording = StoredRecording & { callId: string; recordedAt: Date }

export function createRecordings({ db, store, clock, days }: Deps) {
  /** Without an account, the recording of any account: the caller has checked a signed link. */
  async function open(callId: string, accountId?: number): Promise<OpenRecording> {
    const [call] = isUuid(callId) ? await selectRecorded(db, [callId]) : []
    if (!call || (accountId !== undefined && call.account_id !== accountId))
      throw refuse('RECORDING_NOT_FOUND')
    if (call.recording === 'spooled') throw refuse('RECORDING_NOT_FOUND', { retryAfter: soonSeconds })
    const found = call.recording === 'stored' ? await store.open(recordingNameOf(call)) : undefined
    if (!found) throw refuse('RECORDING_NOT_FOUND')
    return { ...found, callId: call.id, recordedAt: call.ended_at ?? call.started_at }
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
