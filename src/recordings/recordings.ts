/** Recordings as the API offers them, until they are too old. */
import { findOwnRetentions, markSwept } from '../accounts/account-lookup-store.ts'
import { refuse } from '../contract/errors.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { isUuid } from '../kit/ids.ts'
import type { Timers } from '../kit/timers.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { deletePeaks } from './peaks/peaks-store.ts'
import { recordingNameOf } from './recording-intake.ts'
import {
  markRemoved,
  type RecordedCall,
  revokeLinks,
  selectOutdated,
  selectOutdatedOf,
  selectRecorded,
} from './recordings-store.ts'
import { copyFormats, copyName } from './storage/names.ts'
import { type RecordingStore, RecordingsUnavailable, type StoredRecording } from './storage/port.ts'

const daySeconds = 86_400
const batchSize = 200
/** Longer than a call lasts and than its recording takes to be stored. */
const sweptAgainSeconds = 2 * daySeconds

type OwnRetention = Awaited<ReturnType<typeof findOwnRetentions>>[number]
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
  /** D253: calls that began before are removed with their recordings; undefined keeps them. */
  callsKeptSince?: () => Date | undefined
}

/** `isCallerSecond`: in the stored file the caller is on the right channel. */
export type OpenRecording = StoredRecording & { callId: string; recordedAt: Date; isCallerSecond: boolean }

/** Who listens: an account, anybody with a link of this version, or the operator. */
export type ListenedBy = { accountId: number } | { linkVersion: number } | 'operator'

export function createRecordings({ db, store, clock, timers, days, callsKeptSince }: Deps) {
  let held = 0

  /**
   * The call of a recording that is stored. For the account, or for the version of a signed link that the caller has
   * checked (D209).
   */
  async function find(callId: string, by: ListenedBy): Promise<RecordedCall> {
    const call = isUuid(callId) ? await findTaken(callId) : undefined
    if (!call) throw refuse('RECORDING_NOT_FOUND')
    if (by !== 'operator') checkListener(by, call)
    if (call.recording === 'spooled') throw refuse('RECORDING_NOT_FOUND', { retryAfter: soonSeconds })
    if (call.recording !== 'stored') throw refuse('RECORDING_NOT_FOUND')
    return call
  }

  const open = async (callId: string, by: ListenedBy) => await openFound(await find(callId, by))

  async function openFound(call: RecordedCall): Promise<OpenRecording> {
    const found = await whileReachable(() => store.open(recordingNameOf(call)))
    if (!found) throw refuse('RECORDING_NOT_FOUND')
    return {
      ...found,
      callId: call.id,
      recordedAt: recordedAt(call),
      isCallerSecond: isCallerSecond(call),
    }
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
    await removeAll(() => selectOutdated(db, before, batchSize))
    for (const account of await findOwnRetentions(db)) await sweepAccount(account)
  }

  /** D325. What was removed before is not searched again, but for calls that were still live then. */
  async function sweepAccount({ id, days, sweptUntil }: OwnRetention) {
    const before = plusSeconds(clock.now(), -days * daySeconds)
    const since = sweptUntil ? plusSeconds(sweptUntil, -sweptAgainSeconds) : undefined
    await removeAll(() => selectOutdatedOf(db, { accountId: id, since, before }, batchSize))
    if (!sweptUntil || sweptUntil < before) await markSwept(db, id, before)
  }

  async function removeAll(select: () => Promise<RecordedCall[]>) {
    for (;;) {
      const calls = await select()
      if (calls.length === 0) return
      await removeSound(calls)
      const ids = calls.map(({ id }) => id)
      await db.transaction().execute((tx) => forget(tx, ids))
    }
  }

  async function removeCopies(call: RecordedCall) {
    for (const format of copyFormats) await store.remove(copyName(recordingNameOf(call), format))
  }

  /** Only where recordings are kept: the calls still say that they have one. */
  async function removeSound(calls: RecordedCall[]) {
    for (const call of calls.filter(hasSound)) {
      await store.remove(recordingNameOf(call))
      await removeCopies(call)
    }
  }

  /** D209: all links to the recording that were given out so far become invalid. */
  async function revoke({ accountId, user }: Caller, callId: string) {
    await db.transaction().execute(async (tx) => {
      const revoked = isUuid(callId) && (await revokeLinks(tx, accountId, callId))
      if (!revoked) throw refuse('RECORDING_NOT_FOUND')
      await recordAudit(tx, {
        accountId,
        at: clock.now(),
        action: 'recording.links-revoked',
        actor: user.email,
        subject: callId,
      })
    })
  }

  /** D303: the sound is gone for good; while it is on its way, or out of reach, nothing is changed. */
  async function remove({ accountId, user }: Caller, callId: string) {
    const [call] = isUuid(callId) ? await selectRecorded(db, [callId]) : []
    if (call?.account_id !== accountId) throw refuse('RECORDING_NOT_FOUND')
    if (call.recording === 'spooled') throw refuse('RECORDING_NOT_FOUND', { retryAfter: soonSeconds })
    if (call.recording !== 'stored') throw refuse('RECORDING_NOT_FOUND')
    await whileReachable(() => removeSound([call]))
    await db.transaction().execute(async (tx) => {
      await forget(tx, [call.id])
      await recordAudit(tx, {
        accountId,
        at: clock.now(),
        action: 'recording.removed',
        actor: user.email,
        subject: call.id,
      })
    })
    // D576: one may have been made meanwhile.
    await whileReachable(() => removeCopies(call))
  }

  /** D230: by the start of the call, which may last a day, and one more to be on the safe side. */
  async function sweepFiles() {
    const aged = plusSeconds(clock.now(), -days * daySeconds)
    const since = callsKeptSince?.()
    await store.removeBefore(plusSeconds(since && since > aged ? since : aged, -2 * daySeconds))
  }

  return { find, open, openFound, revoke, remove, removeSound, sweep, sweepFiles }
}
export type Recordings = ReturnType<typeof createRecordings>

export const recordedAt = ({ ended_at, started_at }: RecordedCall) => ended_at ?? started_at

/** The extension is on the left, and does not call itself in inbound calls. */
export const isCallerSecond = ({ call_type }: RecordedCall) => call_type === 'inbound'

function hasSound({ recording }: RecordedCall): boolean {
  return recording === 'spooled' || recording === 'stored'
}

function checkListener(by: Exclude<ListenedBy, 'operator'>, call: RecordedCall) {
  if ('accountId' in by && call.account_id !== by.accountId) throw refuse('RECORDING_NOT_FOUND')
  if ('linkVersion' in by && call.link_version !== by.linkVersion) throw refuse('RECORDING_LINK_INVALID')
}

/** Their sound is gone. */
async function forget(tx: Database, callIds: string[]) {
  await markRemoved(tx, callIds)
  await deletePeaks(tx, callIds)
}

/** D258: while the bucket is out of reach, 503. */
export async function whileReachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof RecordingsUnavailable)) throw cause
    throw refuse('SERVICE_UNAVAILABLE', { retryAfter: soonSeconds, cause })
  }
}
