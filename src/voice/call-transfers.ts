/**
 * Transfers at the voice node (D282). A second call that no node dials, because the notice to it was lost, is ended as an
 * orphan like any call that nobody stamps.
 */
import type { Grant } from '../billing/credit/credit.ts'
import type { AcceptedCall, CallEvent, TimeLimits, VoiceEngine } from '../engine/port.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Database } from '../store/database.ts'
import { notify } from '../store/notices.ts'
import type { CallOwners, CallsHere } from './calls-here.ts'
import type { CreditControl } from './credit-control.ts'

export const transferChannel = 'call_transfers'

/** A call that is stored, and dialled to take the place of the extension in another one. */
export type SecondCall = {
  accountId: number
  request: Omit<AcceptedCall, 'limits'>
  /** Undefined for a free call. */
  grant: Grant | undefined
  /** Undefined if a process of an older version sent it. */
  owners?: CallOwners
}

type Deps = {
  clock: Clock
  log: Log
  engine: Pick<VoiceEngine, 'transfer'>
  limits: TimeLimits
  creditControl: Pick<CreditControl, 'start'>
  callsHere: Pick<CallsHere, 'add'>
  onCall: (event: CallEvent) => void
}

export function createTransferHere(deps: Deps) {
  const { clock, log, engine, limits, creditControl, callsHere, onCall } = deps
  return function transferHere(callId: string, { accountId, request, grant, owners }: SecondCall): boolean {
    const second = request.callId
    if (owners) callsHere.add({ ...owners, id: second, accountId })
    if (grant) creditControl.start(second, accountId, grant)
    let isTaken = false
    try {
      isTaken = engine.transfer(callId, { ...request, limits })
    } catch (error) {
      log.error({ err: error, call: callId }, 'the engine did not take a transfer')
    }
    if (!isTaken) {
      const cause = 'NORMAL_TEMPORARY_FAILURE'
      onCall({ type: 'ended', callId: second, at: clock.now(), cause, by: 'service' })
    }
    return isTaken
  }
}
export type TransferHere = ReturnType<typeof createTransferHere>

export async function transferElsewhere(db: Database, callId: string, second: SecondCall) {
  await notify(db, transferChannel, JSON.stringify({ callId, second }))
}

/** A notice reaches every node; `hasCall` says which of them has the call. */
export function transferNoticed(
  transferHere: TransferHere,
  hasCall: (callId: string) => boolean,
  notice: string,
) {
  const { callId, second }: { callId: string; second: SecondCall } = JSON.parse(notice)
  if (hasCall(callId)) transferHere(callId, second)
}
