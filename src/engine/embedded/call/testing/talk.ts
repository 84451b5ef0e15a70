/** A call that is talked in, of an engine that transfers. */
import { sipUri } from '../../../../sip/uri/uri.ts'
import type { AcceptedCall, Destination, IncomingCall, RejectedCall } from '../../../port.ts'
import type { Call } from '../call.ts'
import type { CallDeps } from '../call-deps.ts'
import { placeCall } from '../placed-call.ts'
import { createTransfers } from '../transfer/transfers.ts'
import { buildResponseFor } from './messages.ts'
import { callingOf, callRequest, createStage, description } from './stage.ts'

export const ok = buildResponseFor(200)
/** The call to the new party. */
export const second: AcceptedCall = {
  callId: '019a0000-0000-7000-8000-000000000002',
  destination: { extension: { domain: 'acme.example', number: '1001' } },
  presented: undefined,
  record: false,
  limits: callRequest.limits,
}

type Admit = (call: IncomingCall) => AcceptedCall | RejectedCall

/** Extension 1000 talks to a number, or to the destination. */
export async function talk(admit: Admit = () => second, destination?: Destination) {
  const stage = createStage()
  const calls = new Map<string, Call>()
  const relayed: Call[] = []
  const admitted: IncomingCall[] = []
  const onOver = (callId: string) => void calls.delete(callId)
  const callDeps: CallDeps = {
    ...stage.deps,
    onRefer: (callId, side, refer) => transfers.onRefer(calls.get(callId), side, refer),
  }
  const transfers = createTransfers({
    calls,
    callsWithPhones: () => [...relayed, ...calls.values()],
    callDeps,
    async admit(call) {
      admitted.push(call)
      return admit(call)
    },
    isStopping: () => false,
    onOver,
  })
  async function place(callId: string, to: Destination = callRequest.destination) {
    const inviteExtension = () => callingOf('1000')
    const request = { ...callRequest, callId, destination: to }
    const call = placeCall({ ...callDeps, inviteExtension }, request, () => onOver(callId))
    calls.set(callId, call)
    await stage.settle()
    const first = stage.outgoing.length - 1
    leg(first).listener.onAnswered(description(4000), ok)
    await stage.settle()
    leg(first + 1).listener.onAnswered(description(6000), ok)
    await stage.settle()
  }
  const leg = (index: number) => {
    const found = stage.outgoing[index]
    if (!found) throw new Error('nobody was called')
    return found
  }
  const progress: number[] = []
  const refer = async (from: number, replaces?: string) => {
    const to = sipUri({ user: '1001', host: 'acme.example' })
    const report = (status: number) => void progress.push(status)
    const status = await leg(from).listener.onRefer?.({ to, replaces, progress: report })
    await stage.settle()
    return status
  }
  await place(callRequest.callId, destination)
  const endOf = (callId: string) =>
    stage.events.filter((event) => event.type === 'ended' && event.callId === callId)
  return { ...stage, leg, refer, progress, transfers, calls, relayed, admitted, place, endOf }
}
