/**
 * Recordings of calls: from the voice engine to the store, until they are too old.
 *
 *   (none) ──▶ spooled ──▶ stored ──▶ removed
 *     └─────────────────────▲ the node died before it reported the end: found among the abandoned recordings
 */
import { refuse } from '../../contract/errors.ts'
import type { AbandonedRecording, Recording } from '../../engine/port.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Log } from '../../kit/log.ts'
import type { RecordingStore, StoredRecording } from '../../recordings/port.ts'
import type { Database } from '../../store/database.ts'
import type { CallAnnouncer } from '../../voice/announcer.ts'
import {
  markRemoved,
  markStored,
  type RecordedCall,
  selectOutdated,
  selectRecorded,
  selectSpooled,
} from '../../voice/recordings/recordings-store.ts'

const daySeconds = 86_400
/** A recording without a call, which was removed with its account, is discarded after this time. */
const strayDays = 1
const batchSize = 200
/** D122: when a recording that is still being moved will be stored. */
const soonSeconds = 5
const firstId = '00000000-0000-0000-0000-000000000000'

type Deps = {
  db: Database
  store: RecordingStore
  clock: Clock
  log: Log
  /** How long recordings are kept. */
  days: number
  announcer: CallAnnouncer
}

export type Sound = StoredRecording & { callId: string; recordedAt: Date }

export function createRecordings({ db, store, clock, log, days, announcer }: Deps) {
  /** Once the call's end is stored. What fails here is tried again by the loop. */
  async function take(callId: string, recording: Recording) {
    try {
      const [call] = await selectRecorded(db, [callId])
      if (call) await keep(call, recording)
    } catch (error) {
      log.warn({ err: error, call: callId }, 'a recording could not be stored yet')
    }
  }

  async function keep(call: RecordedCall, recording: Recording) {
    const { seconds, bytes } = recording
    await store.put(nameOf(call), recording)
    await announceStored(call.id, { seconds, bytes })
    await recording.discard()
  }

  async function announceStored(callId: string, sound?: { seconds: number; bytes: number }) {
    const receivers = await db.transaction().execute(async (tx) => {
      const call = await markStored(tx, callId, sound)
      return await announcer.announce(tx, call ? [announcer.announcementOf('recording-ready', call)] : [])
    })
    announcer.publish(receivers)
  }

  /** Of the account, when one is named. */
  async function open(callId: string, accountId?: number): Promise<Sound> {
    const [call] = isUuid(callId) ? await selectRecorded(db, [callId]) : []
    if (!call || (accountId !== undefined && call.account_id !== accountId))
      throw refuse('RECORDING_NOT_FOUND')
    if (call.recording === 'spooled') throw refuse('RECORDING_NOT_FOUND', { retryAfter: soonSeconds })
    const found = call.recording === 'stored' ? await store.open(nameOf(call)) : undefined
    if (!found) throw refuse('RECORDING_NOT_FOUND')
    return { ...found, callId: call.id, recordedAt: call.ended_at ?? call.started_at }
  }

  async function tick() {
    await confirm()
    await removeOutdated()
  }

  /** Stores what the engine of this node still holds of calls that are over: after a failure, or a killed process. */
  async function adopt(abandoned: AsyncIterable<AbandonedRecording>) {
    let batch: AbandonedRecording[] = []
    for await (const one of abandoned) {
      batch.push(one)
      if (batch.length < batchSize) continue
      await adoptBatch(batch)
      batch = []
    }
    if (batch.length > 0) await adoptBatch(batch)
  }

  async function adoptBatch(batch: AbandonedRecording[]) {
    const ids = batch.map(({ callId }) => callId)
    const calls = new Map((await selectRecorded(db, ids)).map((call) => [call.id, call]))
    for (const one of batch) {
      await adoptOne(calls.get(one.callId), one).catch((error: unknown) =>
        log.warn({ err: error, call: one.callId }, 'an abandoned recording could not be stored'),
      )
    }
  }

  async function adoptOne(call: RecordedCall | undefined, { lastWriteAt, recording }: AbandonedRecording) {
    if (!call) {
      if (lastWriteAt < plusSeconds(clock.now(), -strayDays * daySeconds)) await recording.discard()
      return
    }
    if (!call.ended_at) return
    if (call.recording === 'stored' || call.recording === 'removed') return await recording.discard()
    if (recording.seconds > 0) return await keep(call, recording)
    await recording.discard()
    await markRemoved(db, [call.id])
  }

  /** Recordings in the store that are not marked: their process ended, or lost the database, in between. */
  async function confirm() {
    let last = firstId
    for (;;) {
      const calls = await selectSpooled(db, last, batchSize)
      for (const call of calls) {
        const kept = await store.open(nameOf(call))
        await kept?.close()
        if (kept) await announceStored(call.id)
        last = call.id
      }
      if (calls.length < batchSize) return
    }
  }

  async function removeOutdated() {
    const before = plusSeconds(clock.now(), -days * daySeconds)
    for (;;) {
      const calls = await selectOutdated(db, before, batchSize)
      if (calls.length === 0) return
      for (const call of calls) await store.remove(nameOf(call))
      await markRemoved(
        db,
        calls.map(({ id }) => id),
      )
    }
  }

  return { take, open, adopt, tick }
}
export type Recordings = ReturnType<typeof createRecordings>

/** By day, which limits the size of a folder. */
function nameOf({ id, started_at }: RecordedCall): string {
  return `${started_at.toISOString().slice(0, 10).replaceAll('-', '/')}/${id}.wav`
}
