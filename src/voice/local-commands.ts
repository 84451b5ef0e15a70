/** Carries commands out at the voice node of this process: those of its own API, and those claimed from others. */
import type { Cause } from '../contract/causes.ts'
import type { CallEvent, ExtensionName, TimeLimits, VoiceEngine } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { TransferHere } from './call-transfers.ts'
import type { CallsHere } from './calls-here.ts'
import type { CallCeilings } from './ceilings.ts'
import type { CreditControl } from './credit-control.ts'
import type { EventWaiter } from './events/event-waiter.ts'
import type { StoredCommand } from './fleet/stored-command.ts'
import type { ClaimedCall } from './fleet/unclaimed-store.ts'

type Deps = {
  clock: Clock
  log: Log
  node: string
  engine: Pick<VoiceEngine, 'place' | 'callForCode' | 'hangUp' | 'pressKeys' | 'registration'>
  limits: TimeLimits
  creditControl: Pick<CreditControl, 'start'>
  ceilings: Pick<CallCeilings, 'take' | 'release'>
  callsHere: Pick<CallsHere, 'add' | 'find'>
  waiter: Pick<EventWaiter, 'waitFor'>
  onCall: (event: CallEvent) => void
  isDraining: () => boolean
  transferHere: TransferHere
  /** How long a request waits. */
  answerWithinMs: number
}

export function createLocalCommands(deps: Deps) {
  const { clock, log, node, engine, limits, creditControl, ceilings } = deps
  const { callsHere, waiter, onCall, isDraining, transferHere, answerWithinMs } = deps

  /** `refused`: the cause why the call is ended at once. */
  function begin({ accountId, request, grant, owners }: StoredCommand, refused: Cause | undefined) {
    const { callId } = request
    if (owners) callsHere.add({ ...owners, id: callId, accountId })
    const end = (cause: Cause) => onCall({ type: 'ended', callId, at: clock.now(), cause, by: 'service' })
    if (grant) creditControl.start(callId, accountId, grant)
    if (refused) return end(refused)
    try {
      if (isDraining()) throw new Error('draining')
      engine.place({ ...request, limits })
    } catch (error) {
      log.error({ err: error, call: callId }, 'the engine did not take a call')
      end('NORMAL_TEMPORARY_FAILURE')
    }
  }

  async function refusalOf({ callId, command }: ClaimedCall): Promise<Cause | undefined> {
    const { accountId, extensionId } = command
    try {
      const refusal = await ceilings.take(callId, { accountId, extensionId })
      return refusal && 'NORMAL_CIRCUIT_CONGESTION'
    } catch (error) {
      log.error({ err: error, call: callId }, 'the ceilings of an account could not be read')
      return 'NORMAL_TEMPORARY_FAILURE'
    }
  }

  return {
    node,
    isDraining,
    hasPhone: (extension: ExtensionName) => engine.registration(extension) !== undefined,
    occupy: ({ id, accountId, extensionId }: { id: string; accountId: number; extensionId: number }) =>
      ceilings.take(id, { accountId, extensionId }),
    vacate: ceilings.release,
    async place(command: StoredCommand, isWanted?: () => boolean) {
      const first = waiter.waitFor(command.request.callId, answerWithinMs)
      // D227: the client left while the call was being stored, so no phone rings.
      begin(command, isWanted?.() === false ? 'ORIGINATOR_CANCEL' : undefined)
      return (await first)?.type
    },
    /** D240: its ceilings (D176) could not be checked before it was stored. */
    async placeClaimed(call: ClaimedCall) {
      begin(call.command, call.isHungUp ? 'ORIGINATOR_CANCEL' : await refusalOf(call))
    },
    transfer: transferHere,
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
