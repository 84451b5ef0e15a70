/**
 * A voice engine without telephony, for tests and benches: phones are there when they are said to be, and do what
 * they are told, or what the script says. Nothing happens by itself, except that limits pass if it is given timers.
 *
 *   placed ──▶ ringing ──▶ dialling ──▶ talking ──▶ over
 *      └──────────┴────────────┴────────────────────▶ over
 */
import type { Cause } from '../contract/causes.ts'
import type { Timer, Timers } from '../kit/timers.ts'
import type {
  AcceptedCall,
  CallEvent,
  CallRequest,
  Destination,
  EngineHost,
  ExtensionName,
  IncomingCall,
  Registration,
  RejectedCall,
  Side,
  TimeLimits,
  VoiceEngine,
} from './port.ts'

/** What becomes of a call by itself, from its placing on. */
export type Script = (placing: CallRequest) => Act[]

type Act = 'rings' | 'picksUp' | 'progresses' | 'answers' | { ends: Cause; by: Side }

type Stage = 'placed' | 'ringing' | 'dialling' | 'talking'

type Live = {
  stage: Stage
  limits: TimeLimits
  destination: Destination
  /** The called side is the extension: when it picks up, all is said. */
  inbound: boolean
  limit?: Timer | undefined
}

type Options = {
  now?: () => Date
  /** Without them nobody waits for anything. */
  timers?: Timers
  script?: Script
}

const registeredForMs = 3_600_000
const mostRemembered = 1_000

export function createFakeEngine(house: EngineHost, options: Options = {}) {
  const { now = () => new Date(), timers } = options
  let script: Script = options.script ?? (() => ['rings'])
  const registrations = new Map<string, Registration>()
  const calls = new Map<string, Live>()
  const placings: CallRequest[] = []
  let placedTotal = 0

  const keyOf = ({ domain, number }: ExtensionName) => `${number}@${domain}`

  function tell(event: CallEvent) {
    house.onCall(event)
  }

  function place(placing: CallRequest) {
    const { callId, extension } = placing
    begin(placing, 'placed', false)
    placings.push(placing)
    if (placings.length > mostRemembered) placings.shift()
    placedTotal += 1
    queueMicrotask(() => {
      if (!registrations.has(keyOf(extension))) return end(callId, 'USER_NOT_REGISTERED', 'service')
      for (const act of script(placing)) perform(callId, act)
    })
  }

  function begin({ callId, limits, destination }: AcceptedCall, stage: Stage, inbound: boolean) {
    calls.set(callId, { stage, limits, destination, inbound })
    limitTo(callId, stage === 'placed' ? limits.ring : limits.answer, 'NO_ANSWER')
  }

  function limitTo(callId: string, seconds: number, cause: Cause) {
    const call = calls.get(callId)
    if (!call) return
    call.limit?.cancel()
    call.limit = timers?.after(seconds * 1000, () => end(callId, cause, 'service'))
  }

  function perform(callId: string, act: Act) {
    if (act === 'rings') ring(callId)
    else if (act === 'picksUp') pickUp(callId)
    else if (act === 'progresses') progress(callId)
    else if (act === 'answers') answer(callId)
    else end(callId, act.ends, act.by)
  }

  /** The extension's phone. */
  function ring(callId: string) {
    if (enter(callId, ['placed'], 'ringing')) tell({ type: 'ringing', callId, at: now() })
  }

  /** The extension's user; the destination is dialled at once. */
  function pickUp(callId: string) {
    const call = enter(callId, ['placed', 'ringing'], 'dialling')
    if (!call) return
    const { destination, limits, inbound } = call
    limitTo(callId, limits.answer, 'NO_ANSWER')
    tell({ type: 'extensionAnswered', callId, at: now() })
    if (inbound) answer(callId)
    else if ('extension' in destination && !registrations.has(keyOf(destination.extension))) {
      end(callId, 'USER_NOT_REGISTERED', 'service')
    }
  }

  /** The destination rings. */
  function progress(callId: string) {
    if (calls.get(callId)?.stage === 'dialling') tell({ type: 'progress', callId, at: now() })
  }

  function answer(callId: string) {
    const call = enter(callId, ['dialling'], 'talking')
    if (!call) return
    limitTo(callId, call.limits.talk, 'ALLOTTED_TIMEOUT')
    tell({ type: 'answered', callId, at: now() })
  }

  function enter(callId: string, from: Stage[], to: Stage): Live | undefined {
    const call = calls.get(callId)
    if (!call || !from.includes(call.stage)) return undefined
    call.stage = to
    return call
  }

  function end(callId: string, cause: Cause, by: Side) {
    const call = calls.get(callId)
    if (!call) return
    call.limit?.cancel()
    calls.delete(callId)
    tell({ type: 'ended', callId, at: now(), cause, by })
  }

  /** Either side puts the phone down, or we do. */
  function hangUpBy(callId: string, by: Side, cause?: Cause): boolean {
    const call = calls.get(callId)
    if (!call) return false
    end(callId, cause ?? (call.stage === 'talking' ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL'), by)
    return true
  }

  /** A phone that dials by itself, or a carrier with a call for us. */
  async function arrive(arrival: IncomingCall): Promise<AcceptedCall | RejectedCall> {
    const answer = await house.admitCall(arrival)
    if ('rejected' in answer) return answer
    const inbound = 'trunk' in arrival.from
    begin(answer, inbound ? 'placed' : 'dialling', inbound)
    return answer
  }

  function register(extension: ExtensionName, userAgent?: string) {
    const registeredAt = now()
    const expiresAt = new Date(registeredAt.getTime() + registeredForMs)
    const registration = { extension, registeredAt, expiresAt, userAgent, state: '' }
    registrations.set(keyOf(extension), registration)
    house.onRegistration({ type: 'registered', registration })
  }

  function forget(extension: ExtensionName) {
    if (registrations.delete(keyOf(extension))) house.onRegistration({ type: 'unregistered', extension })
  }

  const engine: VoiceEngine = {
    start: async () => {},
    place,
    hangUp: (callId, cause) => hangUpBy(callId, 'service', cause),
    liveCalls: () => [...calls.keys()],
    registration: (extension) => registrations.get(keyOf(extension)),
    forget,
    addresses: () => ({}),
    problems: () => [],
    metrics: () => ({ calls: calls.size, registrations: registrations.size, placed_total: placedTotal }),
    async stop() {
      for (const callId of [...calls.keys()]) end(callId, 'NORMAL_TEMPORARY_FAILURE', 'service')
    },
  }
  return {
    ...engine,
    register,
    arrive,
    ring,
    pickUp,
    progress,
    answer,
    end,
    hangUpBy,
    /** The newest last. */
    placings: () => placings,
    behave: (next: Script) => {
      script = next
    },
    /** As if the process had lost it: nobody is told. */
    lose: (callId: string) => calls.delete(callId),
  }
}
export type FakeEngine = ReturnType<typeof createFakeEngine>
