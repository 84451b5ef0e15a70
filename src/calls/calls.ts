/** Calls placed and hung up over the API: stored first, then told to the engine. */
import { type FieldProblems, problem, refuse, refuseFields } from '../contract/errors.ts'
import type { Destination, Party, TimeLimits, VoiceEngine } from '../engine/port.ts'
import { type ExtensionProfile, type ExtensionProfiles, nameOf, presentedBy } from '../extensions/profiles.ts'
import type { Clock } from '../kit/clock.ts'
import { isUuid, randomBase62, uuidv7 } from '../kit/ids.ts'
import type { Log } from '../kit/log.ts'
import { readPhone } from '../kit/phone.ts'
import type { Database } from '../store/database.ts'
import type { Keep } from '../store/idempotency.ts'
import type { Caller } from '../users/caller.ts'
import type { CallAdmission, CreditRefusal } from '../voice/admission.ts'
import { askToHangUp, findLiveCall } from '../voice/calls-store.ts'
import { readDialled } from '../voice/dialled.ts'
import type { EventQueue } from '../voice/event-queue.ts'
import type { EventWaiter } from '../voice/event-waiter.ts'
import { readMetadata } from './metadata.ts'

export type Wish = {
  extension: string
  called: string
  /** Under which name `called` came. */
  calledField: 'called' | 'phone'
  caller?: string | undefined
  metadata?: unknown
  /** D5: with a second id, good for hanging up only. */
  withDialerId?: boolean
}

/** D3: the id is the same everywhere, from this answer to the recording. */
export type Placed = { id: string; dialerId: string | undefined }

/** D6: nobody waits longer than this for a phone to ring, nor for a call to end. */
const answerWithinMs = 2_000
const dialerIdLength = 27
const dialerIdShape = /^[0-9A-Za-z]{27}$/
const retryAfter = 5

type Deps = {
  db: Database
  clock: Clock
  profiles: ExtensionProfiles
  engine: VoiceEngine
  events: Pick<EventQueue, 'add'>
  waiter: EventWaiter
  log: Log
  admission: CallAdmission
  node: string
  limits: TimeLimits
  isClosed: () => boolean
}

export function createCalls({ db, clock, profiles, engine, node, limits, isClosed, ...deps }: Deps) {
  const { admission, events, waiter, log } = deps

  async function place(caller: Caller, wish: Wish, keep?: Keep<Placed>): Promise<Placed> {
    if (isClosed()) throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    const metadata = readMetadata(wish.metadata)
    const profile = await findRegistered(caller, wish.extension)
    const [destination, to] = await findDestination(profile, wish)
    const shown = await checkCaller(profile, wish.caller)
    const startedAt = clock.now()
    const placed = {
      id: uuidv7(startedAt),
      dialerId: wish.withDialerId ? randomBase62(dialerIdLength) : undefined,
    }
    const row = {
      id: placed.id,
      profile,
      user: caller.user,
      from: profile.number,
      to,
      metadata,
      startedAt,
      node,
      ...(placed.dialerId !== undefined && { dialerId: placed.dialerId }),
      type: 'extension' in destination ? ('internal' as const) : ('outbound' as const),
      status: 'queued' as const,
    }
    // Accepted means stored.
    const unpaid = keep
      ? await admission.admitWith(row, (tx) => keep(tx, placed))
      : await admission.admit(row)
    if (unpaid) throw refuseUnpaid(wish, unpaid)
    const first = waiter.waitFor(placed.id, answerWithinMs)
    tellEngine(placed.id, profile, destination, { number: shown, name: to })
    // D8: refused before the answer went out.
    if ((await first)?.type === 'ended') {
      throw refuse('CALL_FAILED', { message: `call from ${profile.number} to ${to} has been failed` })
    }
    return placed
  }

  function tellEngine(callId: string, profile: ExtensionProfile, destination: Destination, shown: Party) {
    try {
      if (isClosed()) throw new Error('stopping')
      const presented = presentedBy(profile, destination)
      const extension = nameOf(profile)
      engine.place({ callId, extension, shown, destination, presented, record: profile.recordCalls, limits })
    } catch (error) {
      log.error({ err: error, call: callId }, 'the engine did not take a call')
      const at = clock.now()
      events.add({ type: 'ended', callId, at, cause: 'NORMAL_TEMPORARY_FAILURE', by: 'service' })
    }
  }

  /** D7 */
  async function findRegistered(caller: Caller, number: string): Promise<ExtensionProfile> {
    const profile = await profiles.findByNumber(caller.accountId, number)
    if (!profile) {
      throw refuse('EXTENSION_UNKNOWN', { message: `there is no extension ${number} in this account` })
    }
    if (engine.registration(nameOf(profile))) return profile
    throw refuse('EXTENSION_NOT_REGISTERED', { message: `extension ${number}: user not registered` })
  }

  /** D10 */
  async function findDestination(
    profile: ExtensionProfile,
    wish: Wish,
  ): Promise<[Destination, shown: string]> {
    const dialled = readDialled(wish.called)
    if ('number' in dialled) return [dialled, dialled.number]
    if ('refused' in dialled) throw refuseCalled(wish, dialled.refused)
    if (dialled.extension === profile.number) throw refuseCalled(wish, 'itself')
    const other = await profiles.findByNumber(profile.accountId, dialled.extension)
    if (!other) throw refuseCalled(wish, 'invalid')
    return [{ extension: nameOf(other) }, other.number]
  }

  /** D11: what the extension's phone shows is the extension, or a number of the account. */
  async function checkCaller(profile: ExtensionProfile, given: string | undefined): Promise<string> {
    const shown = given?.trim() || profile.number
    if (shown === profile.number) return shown
    const number = readPhone(shown)
    if (number !== undefined && (await profiles.isNumberOf(profile.accountId, number))) return number
    throw refuseFields('NewCall', { caller: [notOurs] })
  }

  /** D13 */
  async function hangUp(caller: Caller, key: string): Promise<string> {
    const named = isUuid(key) ? { id: key } : dialerIdShape.test(key) ? { dialerId: key } : undefined
    const call = named && (await findLiveCall(db, caller.accountId, named))
    if (!call) throw refuse('CALL_NOT_FOUND')
    if (call.node !== node) {
      await askToHangUp(db, call.id)
      return call.id
    }
    if (!engine.hangUp(call.id)) throw refuse('CALL_NOT_FOUND')
    // Whoever looks at the call after this answer finds it over.
    await waiter.waitFor(call.id, answerWithinMs, 'ended')
    return call.id
  }

  return { place, hangUp }
}
export type Calls = ReturnType<typeof createCalls>

const notOurs = { code: 'inclusion', message: 'must be the extension number or a number of the account' }
const calledProblems = {
  invalid: problem.noPhone,
  barred: { code: 'exclusion', message: 'is an emergency or premium number, which may not be called' },
  itself: { code: 'exclusion', message: 'is the extension itself' },
  unpriced: { code: 'exclusion', message: 'is a number that has no price, and cannot be called' },
}

/** D9 */
function refuseUnpaid(wish: Wish, why: Exclude<CreditRefusal, undefined>) {
  return why === 'insufficient' ? refuse('INSUFFICIENT_CREDIT') : refuseCalled(wish, 'unpriced')
}

function refuseCalled({ calledField }: Wish, why: keyof typeof calledProblems) {
  const problems: FieldProblems = { [calledField]: [calledProblems[why]] }
  return refuseFields('NewCall', problems)
}
