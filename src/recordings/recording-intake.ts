/**
 * Moves recordings from the engine of this node to the store.
 *
 *   (none) ──▶ spooled ──▶ stored ──▶ removed
 *     │         └──▶ lost ──▲ (D259)
 *     └─────────────────────▲ the node died before it reported the end: found among the abandoned recordings
 */

import type { CallAnnouncer } from '../calls/announcer.ts'
import type { AbandonedRecording, Recording } from '../engine/port.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { uuidFloor } from '../kit/ids.ts'
import type { Log } from '../kit/process/log.ts'
import type { Database } from '../store/database.ts'
import {
  markRemoved,
  markStored,
  type RecordedCall,
  readSpoolQueue,
  selectRecorded,
  selectSpooled,
} from './recordings-store.ts'
import type { RecordingStore } from './storage/port.ts'

/** A recording without a call, which was removed with its account, is discarded after this time. */
const strayDays = 1
const daySeconds = 86_400
const batchSize = 200
const firstId = '00000000-0000-0000-0000-000000000000'

type Deps = {
  db: Database
  store: RecordingStore
  clock: Clock
  log: Log
  announcer: CallAnnouncer
}

export function createRecordingIntake({ db, store, clock, log, announcer }: Deps) {
  let unreadable = 0

  /** Call it once the end of the call is stored. A failure is retried by `adopt`. */
  async function take(callId: string, recording: Recording) {
    try {
      const [call] = await selectRecorded(db, [callId])
      if (call) await move(call, recording)
    } catch (error) {
      log.warn({ err: error, call: callId }, 'a recording could not be stored yet')
    }
  }

  async function move(call: RecordedCall, recording: Recording) {
    const { seconds, bytes } = recording
    await store.put(recordingNameOf(call), recording)
    await announceStored(call.id, { seconds, bytes })
    await recording.discard()
  }

  async function announceStored(callId: string, sound?: { seconds: number; bytes: number }) {
    const receivers = await db.transaction().execute(async (tx) => {
      const call = await markStored(tx, callId, sound)
      return await announcer.announce(tx, call ? [announcer.announcementOf('recording-ready', call)] : [])
    })
    announcer.publish(receivers)
    announcer.changed([callId])
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

  async function adoptOne(call: RecordedCall | undefined, abandoned: AbandonedRecording) {
    const { callId, lastWriteAt, recording, setAside } = abandoned
    if (!call) {
      const before = plusSeconds(clock.now(), -strayDays * daySeconds)
      // The file has the time of the machine, the id that of the service: if one of the clocks is wrong, it stays.
      if (lastWriteAt < before && callId < uuidFloor(before)) await recording.discard()
      return
    }
    if (!call.ended_at) return
    if (call.recording === 'stored') return await recording.discard()
    if (!setAside && call.recording !== 'removed' && recording.seconds > 0) return await move(call, recording)
    // Before the file goes: without it nothing would come back to a call that still promises a recording.
    await markRemoved(db, [call.id])
    if (!setAside) return await recording.discard()
    // D229: an operator may be able to save what is in it.
    log.error({ call: callId, file: await setAside() }, 'a recording cannot be read: its file is kept aside')
    unreadable += 1
  }

  /** Marks recordings that are in the store: their process ended, or lost the database, in between. */
  async function confirm() {
    let last = firstId
    for (;;) {
      const calls = await selectSpooled(db, last, batchSize)
      for (const call of calls) {
        const stored = await store.open(recordingNameOf(call))
        await stored?.close()
        if (stored) await announceStored(call.id)
        last = call.id
      }
      if (calls.length < batchSize) return
    }
  }

  return {
    take,
    adopt,
    confirm,
    queue: () => readSpoolQueue(db),
    metrics: () => ({ recordings_unreadable_total: unreadable }),
  }
}
export type RecordingIntake = ReturnType<typeof createRecordingIntake>

/** By day, which limits the size of a folder. */
export function recordingNameOf({ id, started_at }: RecordedCall): string {
  return `${started_at.toISOString().slice(0, 10).replaceAll('-', '/')}/${id}.wav`
}
