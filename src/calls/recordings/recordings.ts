/**
 * Recordings of calls: from the voice node's spool folder to where they are kept, until they are too old.
 *
 *   (none) ──▶ spooled ──▶ stored ──▶ removed
 *     └─────────────────────▲ the node died before it could tell: its file is found and made whole
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../../contract/errors.ts'
import { repairWav } from '../../engine/media/sound/wav.ts'
import type { Recording } from '../../engine/port.ts'
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
} from './recordings-store.ts'

const daySeconds = 86_400
/** A recorder writes every second: a file that has been still for so long has none. */
const stillSeconds = 15
/** A file without a call: the call went with its account. */
const strayDays = 1
const together = 200
/** D122: by then a recording on its way has arrived. */
const soonSeconds = 5
const firstId = '00000000-0000-0000-0000-000000000000'

type Deps = {
  db: Database
  store: RecordingStore
  clock: Clock
  log: Log
  /** Where the engine of this process records; files are named after their calls. */
  spool: string
  /** How long recordings are kept. */
  days: number
  announcer: CallAnnouncer
}

export type Sound = StoredRecording & { callId: string; recordedAt: Date }

export function createRecordings({ db, store, clock, log, spool, days, announcer }: Deps) {
  /** Once the call's end is stored. What fails here is tried again by the loop. */
  async function take(callId: string, recording: Recording) {
    try {
      const [call] = await selectRecorded(db, [callId])
      if (call) await keep(call, recording)
    } catch (error) {
      log.warn({ err: error, call: callId }, 'a recording could not be stored yet')
    }
  }

  async function keep(call: RecordedCall, { path, seconds, bytes }: Recording) {
    await store.put(nameOf(call), path)
    await sayStored(call.id, { seconds, bytes })
  }

  async function sayStored(callId: string, sound?: { seconds: number; bytes: number }) {
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
    await adopt()
    await confirm()
    await removeOutdated()
  }

  /** What lies in the spool though its call is over: left by a failure, or by a process that was killed. */
  async function adopt() {
    const files = (await readdir(spool).catch(() => [])).filter((name) => isUuid(name.replace(/\.wav$/, '')))
    for (let first = 0; first < files.length; first += together) {
      const ids = files.slice(first, first + together).map((name) => name.replace(/\.wav$/, ''))
      const calls = new Map((await selectRecorded(db, ids)).map((call) => [call.id, call]))
      for (const id of ids) {
        await settle(calls.get(id), join(spool, `${id}.wav`)).catch((error: unknown) =>
          log.warn({ err: error, call: id }, 'a recording in the spool folder could not be stored'),
        )
      }
    }
  }

  async function settle(call: RecordedCall | undefined, path: string) {
    const idle = (clock.now().getTime() - (await stat(path)).mtimeMs) / 1000
    if (!call && idle > strayDays * daySeconds) return await rm(path, { force: true })
    if (!call?.ended_at || idle < stillSeconds) return
    if (call.recording === 'stored' || call.recording === 'removed') return await rm(path, { force: true })
    const sound = await repairWav(path)
    if (sound && sound.seconds > 0) return await keep(call, sound)
    // Nothing was heard before the end.
    await rm(path, { force: true })
    await markRemoved(db, [call.id])
  }

  /** What was moved to where it is kept by one that was ended, or lost the database, before it could say so. */
  async function confirm() {
    let last = firstId
    for (;;) {
      const calls = await selectSpooled(db, last, together)
      for (const call of calls) {
        const kept = await store.open(nameOf(call))
        await kept?.close()
        if (kept) await sayStored(call.id)
        last = call.id
      }
      if (calls.length < together) return
    }
  }

  async function removeOutdated() {
    const before = plusSeconds(clock.now(), -days * daySeconds)
    for (;;) {
      const calls = await selectOutdated(db, before, together)
      if (calls.length === 0) return
      for (const call of calls) await store.remove(nameOf(call))
      await markRemoved(
        db,
        calls.map(({ id }) => id),
      )
    }
  }

  return { take, open, tick }
}
export type Recordings = ReturnType<typeof createRecordings>

/** By day, so that no folder grows without end. */
function nameOf({ id, started_at }: RecordedCall): string {
  return `${started_at.toISOString().slice(0, 10).replaceAll('-', '/')}/${id}.wav`
}
