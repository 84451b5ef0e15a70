/** What happens in a talk of the fake engine: keys (D280) and transfers (D282). */
import type { Cause } from '../../contract/calls/causes.ts'
import type { AcceptedCall, CallEvent, CallQuality, Destination, KeyPress, Side } from '../port.ts'
import type { FakeCall, Stage } from './network.ts'

type Deps = {
  calls: Map<string, FakeCall>
  now: () => Date
  emit(event: CallEvent): void
  begin(accepted: AcceptedCall, stage: Stage, fromCarrier: boolean): FakeCall
  dial(call: FakeCall, destination: Destination): void
  end(callId: string, cause: Cause, by: Side): void
}

export function createFakeCallActs({ calls, now, emit, begin, dial, end }: Deps) {
  return {
    /** A side presses keys, or the host sends them to it. */
    press(callId: string, keys: string, from: Side, to: KeyPress['to']): boolean {
      const call = calls.get(callId)
      if (call?.stage !== 'talking') return false
      for (const key of keys) call.keys.push({ at: now(), from, to, key })
      return true
    },
    /** What arrived of the two legs. */
    measure(callId: string, quality: CallQuality) {
      const call = calls.get(callId)
      if (call) call.quality = quality
    },
    /** What the end of the call reports of it. */
    factsOf: ({ keys, quality }: FakeCall) => ({
      ...(keys.length > 0 && { keys }),
      ...(quality && { quality }),
    }),
    transfer(callId: string, second: AcceptedCall): boolean {
      if (calls.get(callId)?.stage !== 'talking') return false
      const call = begin(second, 'dialling', false)
      call.transferOf = callId
      emit({ type: 'extensionAnswered', callId: second.callId, at: now() })
      dial(call, second.destination)
      return true
    },
    /** A second call was answered: it takes the place of the extension in the first. */
    link(second: FakeCall) {
      if (second.transferOf === undefined) return
      const first = calls.get(second.transferOf)
      if (!first) return end(second.callId, 'ORIGINATOR_CANCEL', 'service')
      first.linkedTo = second.callId
      second.linkedTo = first.callId
      emit({ type: 'transferred', callId: first.callId, at: now(), to: second.callId })
    },
  }
}
