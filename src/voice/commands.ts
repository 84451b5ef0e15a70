/**
 * Commands from the API to the voice node that carries, or will carry, a call. In a process with both roles they are
 * plain function calls.
 */
import type { Grant } from '../billing/credit/credit.ts'
import type { Cause } from '../contract/causes.ts'
import type {
  CallEvent,
  CallRequest,
  CodeCallRequest,
  CodeCallResult,
  ExtensionName,
  KeyPress,
  TimeLimits,
  VoiceEngine,
} from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { Timers } from '../kit/timers.ts'
import type { Database } from '../store/database.ts'
import { pressElsewhere } from './call-keys.ts'
import { type SecondCall, type TransferHere, transferElsewhere } from './call-transfers.ts'
import { isOver, requestHangUp } from './calls-store.ts'
import type { CallCeilings, CeilingRefusal } from './ceilings.ts'
import type { CreditControl } from './credit-control.ts'
import type { EventWaiter } from './events/event-waiter.ts'

/** D6: how long an API request waits for the phone to ring, or for a call to end. */
const answerWithinMs = 2_000

/** A call that is stored, for the node that its row names. */
type PlaceCommand = {
  node: string
  accountId: number
  request: Omit<CallRequest, 'limits'>
  /** Undefined for a free call. */
  grant: Grant | undefined
  /** D227: whether somebody still waits for the answer. */
  isWanted?: (() => boolean) | undefined
}

export type VoiceCommands = {
  /** False while this process is draining, or if no voice node can be reached from it. */
  acceptsCalls(): boolean
  /** The node that can ring the extension; undefined if no phone is registered. */
  findNode(extension: ExtensionName): string | undefined
  /** D176: counts a new call, or refuses it. `vacate` gives the place back if the call is not placed. */
  occupy(call: { id: string; accountId: number; extensionId: number }): Maybe<CeilingRefusal | undefined>
  vacate(callId: string): void
  /** Resolves with the first event that was stored of the call, or undefined if none was in time. */
  place(command: PlaceCommand): Promise<CallEvent | undefined>
  /** A call that a number is verified by (D188); only while calls are accepted. */
  callForCode(request: CodeCallRequest): Promise<CodeCallResult>
  /** D282: has the node dial the second call. False if the first cannot be transferred now: then the second has ended. */
  transfer(call: { id: string; node: string }, second: SecondCall): Promise<boolean>
  /** D280: sends keys to a side of an answered call. False if the node has no such call. */
  pressKeys(call: { id: string; node: string }, to: KeyPress['to'], keys: string): Promise<boolean>
  /** Resolves once the end is stored, or the time to wait is over; with false if the node has no such call. */
  hangUp(call: { id: string; node: string }): Promise<boolean>
}

type LocalDeps = {
  db: Database
  clock: Clock
  timers: Timers
  log: Log
  node: string
  engine: Pick<VoiceEngine, 'place' | 'callForCode' | 'hangUp' | 'pressKeys' | 'registration'>
  limits: TimeLimits
  creditControl: Pick<CreditControl, 'start'>
  ceilings: Pick<CallCeilings, 'take' | 'release'>
  waiter: Pick<EventWaiter, 'waitFor'>
  onCall: (event: CallEvent) => void
  isDraining: () => boolean
  transferHere: TransferHere
}

/** For a process that is a voice node itself. */
export function createLocalCommands(deps: LocalDeps): VoiceCommands {
  const { db, clock, timers, log, node, engine, limits } = deps
  const { creditControl, ceilings, waiter, onCall, isDraining, transferHere } = deps

  function place({ accountId, request, grant, isWanted }: PlaceCommand) {
    const { callId } = request
    const first = waiter.waitFor(callId, answerWithinMs)
    if (grant) creditControl.start(callId, accountId, grant)
    const end = (cause: Cause) => onCall({ type: 'ended', callId, at: clock.now(), cause, by: 'service' })
    try {
      // D227: the client left while the call was being stored, so no phone rings.
      if (isWanted?.() === false) {
        end('ORIGINATOR_CANCEL')
        return first
      }
      if (isDraining()) throw new Error('draining')
      engine.place({ ...request, limits })
    } catch (error) {
      log.error({ err: error, call: callId }, 'the engine did not take a call')
      end('NORMAL_TEMPORARY_FAILURE')
    }
    return first
  }

  async function hangUp(call: { id: string; node: string }) {
    if (call.node !== node) return await hangUpElsewhere(db, timers, call.id)
    if (!engine.hangUp(call.id)) return false
    await waiter.waitFor(call.id, answerWithinMs, 'ended')
    return true
  }

  async function transfer(call: { id: string; node: string }, second: SecondCall) {
    if (call.node === node) return transferHere(call.id, second)
    await transferElsewhere(db, call.id, second)
    return true
  }

  async function pressKeys(call: { id: string; node: string }, to: KeyPress['to'], keys: string) {
    if (call.node === node) return engine.pressKeys(call.id, to, keys)
    await pressElsewhere(db, { callId: call.id, to, keys })
    return true
  }

  return {
    acceptsCalls: () => !isDraining(),
    findNode: (extension) => (engine.registration(extension) ? node : undefined),
    occupy: ({ id, accountId, extensionId }) => ceilings.take(id, { accountId, extensionId }),
    vacate: ceilings.release,
    place,
    callForCode: engine.callForCode,
    transfer,
    pressKeys,
    hangUp,
  }
}

/** For a process without the voice role: it can ask other nodes to hang up, and places no calls. */
export function createRemoteCommands({ db, timers }: { db: Database; timers: Timers }): VoiceCommands {
  return {
    acceptsCalls: () => false,
    findNode: () => undefined,
    occupy: () => undefined,
    vacate() {},
    place: () => Promise.resolve(undefined),
    callForCode: () => Promise.reject(new Error('this process places no calls')),
    async transfer({ id }, second) {
      await transferElsewhere(db, id, second)
      return true
    },
    async pressKeys({ id }, to, keys) {
      await pressElsewhere(db, { callId: id, to, keys })
      return true
    },
    hangUp: ({ id }) => hangUpElsewhere(db, timers, id),
  }
}

/** How often the end is looked for that another process stores. */
const lookEveryMs = 100

/** D13: as on one machine, answered once the end is stored, or the time to wait is over. */
async function hangUpElsewhere(db: Database, timers: Timers, id: string): Promise<boolean> {
  if (!(await requestHangUp(db, id))) return false
  const deadline = timers.now() + answerWithinMs
  while (timers.now() < deadline && !(await isOver(db, id))) {
    await new Promise<void>((resolve) => timers.after(lookEveryMs, resolve))
  }
  return true
}
