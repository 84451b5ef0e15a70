/** Carries commands out at the voice node of this process: those of its own API, and those claimed from others. */

import {
  notTakenCause,
  type Placed,
  type StoredCommand,
  type Waiter,
  withdrawnCause,
} from '../calls/admission/stored-command.ts'
import type { ClaimedCall } from '../calls/admission/unclaimed-store.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { CallEvent, ExtensionName, TimeLimits, VoiceEngine } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import type { CallCeilings } from '../limits/ceilings.ts'
import type { CallsHere } from './calls-here.ts'
import type { CreditControl } from './credit-control.ts'
import type { EventWaiter } from './event-waiter.ts'

type Deps = {
  clock: Clock
  log: Log
  node: string
  engine: Pick<VoiceEngine, 'place' | 'transfer' | 'callForCode' | 'hangUp' | 'pressKeys' | 'registration'>
  limits: TimeLimits
  creditControl: Pick<CreditControl, 'start'>
  ceilings: Pick<CallCeilings, 'take' | 'release'>
  callsHere: Pick<CallsHere, 'add' | 'find'>
  waiter: Pick<EventWaiter, 'waitFor'>
  onCall: (event: CallEvent) => void
  isDraining: () => boolean
  /** How long a request waits. */
  answerWithinMs: number
}

/** `isFree`: to a service or an emergency number (D272). */
export type OccupyingCall = {
  id: string
  accountId: number
  extensionId: number
  isFree?: boolean | undefined
}

/** Why a call is ended at once. D557: `isNotTaken`: so that it rang nowhere, and its key places it again. */
type Refused = { cause: Cause; isNotTaken: boolean }
const notTaken: Refused = { cause: notTakenCause, isNotTaken: true }
/** D227. */
const withdrawn: Refused = { cause: withdrawnCause, isNotTaken: true }
const hungUp: Refused = { cause: withdrawnCause, isNotTaken: false }
const congested: Refused = { cause: 'NORMAL_CIRCUIT_CONGESTION', isNotTaken: false }

export function createLocalCommands(deps: Deps) {
  const { clock, log, node, engine, limits, creditControl, ceilings } = deps
  const { callsHere, waiter, onCall, isDraining, answerWithinMs } = deps

  /** False if the engine has not taken it. */
  function begin(command: StoredCommand, refused?: Refused): boolean {
    const { accountId, grant, owners } = command
    const { callId } = command.request
    if (owners) callsHere.add({ ...owners, id: callId, accountId })
    const end = (why: Refused) => {
      onCall({ type: 'ended', callId, at: clock.now(), by: 'service', ...why })
      return false
    }
    if (grant) creditControl.start(callId, accountId, grant)
    if (refused) return end(refused)
    try {
      return dial(command) || end(notTaken)
    } catch (error) {
      log.error({ err: error, call: callId }, 'the engine did not take a call')
      return end(notTaken)
    }
  }

  /** False if the call that is to be transferred is over, or cannot be transferred now. */
  function dial(command: StoredCommand): boolean {
    if (command.transferOf !== undefined) {
      return engine.transfer(command.transferOf, { ...command.request, limits })
    }
    if (isDraining()) throw new Error('draining')
    engine.place({ ...command.request, limits })
    return true
  }

  async function refusalOf({ callId, command }: ClaimedCall): Promise<Refused | undefined> {
    const { accountId, extensionId, request, grant } = command
    const isFree = 'number' in request.destination && !grant
    try {
      const refusal = await ceilings.take(callId, { accountId, extensionId, isFree })
      return refusal && congested
    } catch (error) {
      log.error({ err: error, call: callId }, 'the ceilings of an account could not be read')
      return notTaken
    }
  }

  return {
    node,
    isDraining,
    hasPhone: (extension: ExtensionName) => engine.registration(extension) !== undefined,
    occupy: ({ id, accountId, extensionId, isFree }: OccupyingCall) =>
      ceilings.take(id, { accountId, extensionId, isFree }),
    vacate: ceilings.release,
    async place(command: StoredCommand, client?: Waiter): Promise<Placed> {
      const first = waiter.waitFor(command.request.callId, answerWithinMs)
      // D227: the client left while the call was being stored, or it took too long, so no phone rings.
      const isTaken = begin(command, client?.isWanted() === false ? withdrawn : undefined)
      return isTaken ? (await first)?.type : 'not taken'
    },
    /** D240: its ceilings (D176) could not be checked before it was stored. False if the engine has not taken it. */
    async placeClaimed(call: ClaimedCall): Promise<boolean> {
      return begin(call.command, call.isHungUp ? hungUp : await refusalOf(call))
    },
    transfer: (command: StoredCommand): Placed => (begin(command) ? undefined : 'not taken'),
    pressKeys: engine.pressKeys,
    callForCode: engine.callForCode,
    /** By either id of a call. */
    find: callsHere.find,
    async hangUp(callId: string): Promise<boolean> {
      if (!engine.hangUp(callId)) return false
      await waiter.waitFor(callId, answerWithinMs, 'ended')
      return true
    },
  }
}
export type LocalCommands = ReturnType<typeof createLocalCommands>
