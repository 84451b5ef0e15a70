/** Calls of the fake engine in which the callee types a code (D188). */
import type { Cause } from '../../contract/calls/causes.ts'
import type { Timer, Timers } from '../../kit/timers.ts'
import { type CodeEntry, createCodeEntry } from '../code-entry.ts'
import type { CodeCallRequest, CodeCallResult, Party } from '../port.ts'
import type { FakeNetwork, FakeTrunk } from './network.ts'

type FakeCodeCall = {
  request: CodeCallRequest
  entry: CodeEntry
  resolve(result: CodeCallResult): void
  trunk: FakeTrunk
  timer: Timer | undefined
  answeredAt?: Date
  isTyped: boolean
}

type Deps = {
  network: Pick<FakeNetwork, 'takeTrunk'>
  now: () => Date
  timers: Timers | undefined
  onInvite(invite: { callId: string; trunk: string; number: string; presented: Party | undefined }): void
}

export function createFakeCodeCalls({ network, now, timers, onInvite }: Deps) {
  const calls = new Map<string, FakeCodeCall>()

  function place(request: CodeCallRequest): Promise<CodeCallResult> {
    const { callId, number, code, maxTries, limits } = request
    const trunk = network.takeTrunk()
    const { promise, resolve } = Promise.withResolvers<CodeCallResult>()
    if (!trunk) {
      const cause = 'NORMAL_CIRCUIT_CONGESTION'
      resolve({ outcome: 'not answered', cause, answeredAt: undefined, endedAt: now() })
      return promise
    }
    const presented = trunk.callerId === undefined ? undefined : { number: trunk.callerId }
    onInvite({ callId, trunk: trunk.name, number, presented })
    const timer = timers?.after(limits.answer * 1000, () => end(callId, 'NO_ANSWER'))
    const entry = createCodeEntry(code, maxTries)
    calls.set(callId, { request, entry, resolve, trunk, timer, isTyped: false })
    return promise
  }

  function answer(callId: string) {
    const call = calls.get(callId)
    if (!call || call.answeredAt) return
    call.answeredAt = now()
    call.timer?.cancel()
    call.timer = timers?.after(call.request.limits.typing * 1000, () => end(callId, 'NORMAL_CLEARING'))
  }

  /** The callee presses keys; after the last try the engine hangs up. */
  function press(callId: string, keys: string) {
    const call = calls.get(callId)
    if (!call?.answeredAt) return
    for (const key of keys) {
      const tried = call.entry.press(key)
      call.isTyped = tried === 'right'
      if (tried === 'right' || tried === 'wrong too often') return end(callId, 'NORMAL_CLEARING')
    }
  }

  function end(callId: string, cause: Cause) {
    const call = calls.get(callId)
    if (!call) return
    calls.delete(callId)
    call.timer?.cancel()
    call.trunk.used -= 1
    call.resolve({ outcome: outcomeOf(call), cause, answeredAt: call.answeredAt, endedAt: now() })
  }

  function outcomeOf({ answeredAt, isTyped, entry }: FakeCodeCall): CodeCallResult['outcome'] {
    if (!answeredAt) return 'not answered'
    if (isTyped) return 'typed'
    return entry.wrongTries() > 0 ? 'wrong' : 'not typed'
  }

  return {
    place,
    answer,
    press,
    end,
    /** The newest last. */
    requests: () => [...calls.values()].map(({ request }) => request),
    endAll(cause: Cause) {
      for (const callId of [...calls.keys()]) end(callId, cause)
    },
  }
}
