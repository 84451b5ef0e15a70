/**
 * Transfers of live calls: by REFER of a phone, blind or attended, and by the host (D282). D345: the node of a phone carries
 * out its REFER, also on a call that another node has: it dials the new party and links that call to the leg of the other
 * node.
 */
import type { Cause } from '../../../../contract/calls/causes.ts'
import type { SideName } from '../../../../media/relay/side.ts'
import type { Refer } from '../../../../sip/dialog/leg.ts'
import type { AcceptedCall, EngineHost, ExtensionName } from '../../../port.ts'
import type { Call } from '../call.ts'
import type { CallDeps } from '../call-deps.ts'
import { userOf } from '../sender-check.ts'
import { beginTransfer, joinCalls } from './transfer.ts'

type Deps = {
  /** Live ones of this node, by id. */
  calls: Map<string, Call>
  /** Also those of other nodes with a phone here. */
  callsWithPhones(): Iterable<Call>
  callDeps: CallDeps
  admit: EngineHost['admitCall']
  isStopping(): boolean
  onOver(callId: string): void
}

type Transfer = NonNullable<ReturnType<typeof beginTransfer>>

export function createTransfers({ calls, callsWithPhones, callDeps, admit, isStopping, onOver }: Deps) {
  const { log, timers } = callDeps
  let total = 0

  function dial(transfer: Transfer, accepted: AcceptedCall) {
    total += 1
    const { callId } = accepted
    calls.set(
      callId,
      transfer.dial(callDeps, accepted, () => onOver(callId)),
    )
  }

  /** Only phones may transfer: a carrier would have us dial at the expense of an account. */
  function onRefer(call: Call | undefined, side: SideName, refer: Refer): number {
    const extension = call?.partyAt(side)
    if (!call || !extension || isStopping()) return 603
    if (refer.replaces !== undefined) return attend(call, side, extension, refer)
    const transfer = beginTransfer({ call, side, extension, progress: refer.progress })
    if (!transfer) return 491
    void dialFor(transfer, call, extension, userOf(refer.to))
    return 202
  }

  async function dialFor(transfer: Transfer, { callId }: Call, extension: ExtensionName, dialled: string) {
    let rejected: Cause = 'NORMAL_TEMPORARY_FAILURE'
    try {
      const admitted = await admit({ from: { extension }, dialled, transferOf: callId })
      if (!('rejected' in admitted)) return dial(transfer, admitted)
      rejected = admitted.rejected
    } catch (error) {
      log.error({ err: error, callId }, 'a transfer could not be stored')
    }
    transfer.fail(rejected)
  }

  /** The extension has another call, in which the new party has answered already. */
  function attend(
    call: Call,
    side: SideName,
    extension: ExtensionName,
    { replaces, progress }: Refer,
  ): number {
    const found = findDialog(callsWithPhones(), extension, replaces)
    if (!found || found.call === call) return 603
    // After the answer to the REFER: joining hangs up the leg it came on.
    timers.after(0, () => {
      progress(200)
      if (joinCalls(call, side, found.call, found.side)) total += 1
    })
    return 202
  }

  return {
    onRefer,
    /** At the request of the host: the extension leaves. False if the call cannot be transferred now. */
    transfer(callId: string, accepted: AcceptedCall): boolean {
      const call = calls.get(callId)
      const extension = call?.partyAt('extension')
      if (!call || !extension || isStopping()) return false
      const transfer = beginTransfer({ call, side: 'extension', extension, progress() {} })
      if (transfer) dial(transfer, accepted)
      return transfer !== undefined
    },
    total: () => total,
  }
}

/** D183 for Replaces: only a dialog of the same extension. */
export function findDialog(
  calls: Iterable<Call>,
  { domain, number }: ExtensionName,
  dialogId: string | undefined,
) {
  for (const call of calls)
    for (const side of ['extension', 'other'] as const) {
      const party = call.partyAt(side)
      const isOwn = party?.domain === domain && party.number === number
      if (isOwn && call.isTalking() && call.legOf(side)?.callId === dialogId) return { call, side }
    }
  return undefined
}
