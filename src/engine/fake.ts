/**
 * A voice engine without telephony, for tests and benches. Phones and people do what the test calls here, or what
 * the script says. Nothing happens by itself, except that time limits pass if the engine is given timers.
 *
 *   placed ──▶ ringing ──▶ dialling ──▶ talking ──▶ over
 *      └──────────┴────────────┴────────────────────▶ over
 */
import type { Cause } from '../contract/calls/causes.ts'
import type { Timers } from '../kit/timers.ts'
import { createFakeCallActs } from './fake/call-acts.ts'
import { createFakeCodeCalls } from './fake/code-calls.ts'
import { createFakeNetwork, type FakeCall, type FakeNetwork, type Stage } from './fake/network.ts'
import { createFakeRegistrar, type RegisterRequest } from './fake/registrar.ts'
import type {
  AcceptedCall,
  CallEvent,
  CallRequest,
  Destination,
  EngineHost,
  ExtensionName,
  IncomingCall,
  Party,
  RejectedCall,
  Side,
  VoiceEngine,
} from './port.ts'

/** What happens to a call by itself, from its placing on. */
export type Script = (request: CallRequest) => Act[]

type Act = 'rings' | 'picksUp' | 'progresses' | 'answers' | { ends: Cause; by: Side }

/** D77: the INVITE that rings an extension. */
type ExtensionInvite = { callId: string; headers: Record<string, string> }
/** What a carrier sees of a call. */
type TrunkInvite = { callId: string; trunk: string; number: string; presented: Party | undefined }

type Options = {
  now?: () => Date
  /** Without timers no limit ever passes. */
  timers?: Timers
  script?: Script
  network?: FakeNetwork
  /** Extensions are pushed to it rather than looked up. */
  provisioned?: boolean
  /** Whether calls that ask for it leave a recording. */
  records?: boolean
  autoAnswer?: boolean
  mediaSeconds?: number
  /** Whether the nodes of a fleet share its trunks (D250); without, each has all of them. */
  sharesTrunks?: boolean
}

const maxRemembered = 1_000

export function createFakeEngine(host: EngineHost, options: Options = {}) {
  const { now = () => new Date(), timers, network = createFakeNetwork(), mediaSeconds = 30 } = options
  let script: Script = options.script ?? (() => ['rings'])
  const registrar = createFakeRegistrar({ host, now, provisioned: options.provisioned ?? false })
  const { calls } = network
  const requests: CallRequest[] = []
  const extensionInvites: ExtensionInvite[] = []
  const trunkInvites: TrunkInvite[] = []
  let placedTotal = 0
  const codeCalls = createFakeCodeCalls({
    network,
    now,
    timers,
    onInvite: (invite) => remember(trunkInvites, invite),
  })
  let killed = false
  let draining = false
  /** Calls of an engine on this network that was killed. They are not this one's: its start hangs them up (duty 2). */
  const leftBehind = new Set(calls.keys())

  const inCall = createFakeCallActs({ calls, now, emit, begin, dial, end })

  function emit(event: CallEvent) {
    host.onCall(event)
  }

  function place(request: CallRequest) {
    const { callId, extension } = request
    begin(request, 'placed', false)
    remember(requests, request)
    placedTotal += 1
    queueMicrotask(() => {
      if (!registrar.find(extension)) return end(callId, 'USER_NOT_REGISTERED', 'service')
      remember(extensionInvites, { callId, headers: inviteHeaders(callId, options.autoAnswer ?? false) })
      for (const act of script(request)) perform(callId, act)
    })
  }

  function begin(accepted: AcceptedCall, stage: Stage, fromCarrier: boolean) {
    const { callId, limits, destination, presented, record } = accepted
    const call: FakeCall = {
      callId,
      stage,
      limits,
      destination,
      presented,
      record,
      keys: [],
      fromCarrier,
      silent: new Set(),
    }
    calls.set(callId, call)
    limitTo(call, stage === 'placed' && !fromCarrier ? limits.ring : limits.answer, 'NO_ANSWER')
    return call
  }

  function limitTo(call: FakeCall, seconds: number, cause: Cause) {
    call.timer?.cancel()
    call.timer = timers?.after(seconds * 1000, () => end(call.callId, cause, 'service'))
  }

  function perform(callId: string, act: Act) {
    if (act === 'rings') ring(callId)
    else if (act === 'picksUp') pickUp(callId)
    else if (act === 'progresses') progress(callId)
    else if (act === 'answers') answer(callId)
    else end(callId, act.ends, act.by)
  }

  /** The extension's phone rings. */
  function ring(callId: string) {
    if (enter(callId, ['placed'], 'ringing')) emit({ type: 'ringing', callId, at: now() })
  }

  /** The extension's user answers; the destination is dialled at once. */
  function pickUp(callId: string) {
    const call = enter(callId, ['placed', 'ringing'], 'dialling')
    if (!call) return
    if (call.fromCarrier) return answer(callId)
    emit({ type: 'extensionAnswered', callId, at: now() })
    limitTo(call, call.limits.answer, 'NO_ANSWER')
    dial(call, call.destination)
  }

  function dial(call: FakeCall, destination: Destination) {
    const { callId } = call
    if ('extension' in destination) {
      if (!registrar.find(destination.extension)) end(callId, 'USER_NOT_REGISTERED', 'service')
      return
    }
    call.trunk = network.takeTrunk()
    if (!call.trunk) return end(callId, 'NORMAL_CIRCUIT_CONGESTION', 'service')
    const { name, callerId } = call.trunk
    const presented = call.presented ?? (callerId === undefined ? undefined : { number: callerId })
    remember(trunkInvites, { callId, trunk: name, number: destination.number, presented })
  }

  /** The destination rings. */
  function progress(callId: string) {
    if (calls.get(callId)?.stage === 'dialling') emit({ type: 'progress', callId, at: now() })
  }

  function answer(callId: string) {
    const call = enter(callId, ['dialling'], 'talking')
    if (!call) return
    call.answeredAt = now()
    limitTo(call, call.limits.talk, 'ALLOTTED_TIMEOUT')
    emit({ type: 'answered', callId, at: call.answeredAt })
    inCall.link(call)
  }

  function enter(callId: string, from: Stage[], to: Stage): FakeCall | undefined {
    const call = calls.get(callId)
    if (!call || !from.includes(call.stage)) return undefined
    call.stage = to
    return call
  }

  /** D123: both sides without sound for `mediaSeconds` end the call; one side does not. */
  function silence(callId: string, side: 'extension' | 'other') {
    const call = calls.get(callId)
    if (call?.stage !== 'talking') return
    call.silent.add(side)
    if (call.silent.size < 2) return
    call.silenceTimer = timers?.after(mediaSeconds * 1000, () => end(callId, 'MEDIA_TIMEOUT', 'service'))
  }

  function end(callId: string, cause: Cause, by: Side) {
    const call = calls.get(callId)
    if (!call || killed) return
    const at = now()
    remove(call)
    if (call.linkedTo !== undefined) queueMicrotask(() => end(call.linkedTo ?? '', cause, 'service'))
    const recording = record(call, at)
    emit({ type: 'ended', callId, at, cause, by, ...(recording && { recording }), ...inCall.factsOf(call) })
  }

  function record({ callId, record: isWanted, answeredAt }: FakeCall, at: Date) {
    if (!options.records || !isWanted || !answeredAt) return undefined
    return network.record(callId, (at.getTime() - answeredAt.getTime()) / 1000, at)
  }

  function remove(call: FakeCall) {
    call.timer?.cancel()
    call.silenceTimer?.cancel()
    if (call.trunk) call.trunk.used -= 1
    calls.delete(call.callId)
  }

  /** Either side hangs up, or we do. */
  function hangUpBy(callId: string, by: Side, cause?: Cause): boolean {
    const call = calls.get(callId)
    if (!call) return false
    end(callId, cause ?? (call.stage === 'talking' ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL'), by)
    return true
  }

  /** A phone that dials, or a carrier that calls us. */
  async function receive(incoming: IncomingCall): Promise<AcceptedCall | RejectedCall> {
    const answer = await host.admitCall(incoming)
    if ('rejected' in answer) return answer
    const fromCarrier = 'trunk' in incoming.from
    const call = begin(answer, fromCarrier ? 'placed' : 'dialling', fromCarrier)
    if (fromCarrier) return answer
    emit({ type: 'extensionAnswered', callId: call.callId, at: now() })
    dial(call, answer.destination)
    return answer
  }

  /** The phone of an extension transfers its call (duty 14). */
  async function refer(callId: string, extension: ExtensionName, dialled: string) {
    const answer = await host.admitCall({ from: { extension }, dialled, transferOf: callId })
    if ('rejected' in answer || inCall.transfer(callId, answer)) return answer
    const cause = 'ORIGINATOR_CANCEL'
    emit({ type: 'ended', callId: answer.callId, at: now(), cause, by: 'service' })
    return { rejected: cause }
  }

  const engine: VoiceEngine = {
    async start() {
      for (const call of [...calls.values()]) remove(call)
      leftBehind.clear()
      await registrar.start()
    },
    place,
    callForCode: codeCalls.place,
    hangUp: (callId, cause) => hangUpBy(callId, 'service', cause),
    transfer: inCall.transfer,
    pressKeys: (callId, to, keys) => inCall.press(callId, keys, 'service', to),
    liveCalls: () => [...calls.keys()].filter((callId) => !leftBehind.has(callId)),
    registration: registrar.find,
    phones: registrar.count,
    put: registrar.put,
    forget: registrar.forget,
    recheck: (userId) => void registrar.recheck(userId),
    async *abandonedRecordings() {
      for (const one of network.recordings.values()) if (!calls.has(one.callId)) yield one
    },
    addresses: () => ({}),
    trunks: () =>
      options.sharesTrunks
        ? network.trunks.map((trunk) => ({
            ...trunk,
            callsPerSecond: 0,
            problems: trunk.failing ? [`Trunk ${trunk.name} does not respond`] : [],
          }))
        : [],
    limitTrunks: network.limitTrunks,
    setTrunks: network.setTrunks,
    async testTrunk({ name, address }) {
      const isFailing = network.trunks.some((trunk) => trunk.name === name && trunk.failing)
      const answer = isFailing
        ? { status: 503, reason: 'Service Unavailable' }
        : { status: 200, reason: 'OK' }
      return [{ address, ...answer, milliseconds: 0 }]
    },
    setDraining(isDraining) {
      draining = isDraining
    },
    problems: () => [],
    metrics: () => ({ calls: calls.size, registrations: registrar.count(), placed_total: placedTotal }),
    async stop() {
      for (const callId of [...calls.keys()]) end(callId, 'NORMAL_TEMPORARY_FAILURE', 'service')
      codeCalls.endAll('NORMAL_TEMPORARY_FAILURE')
    },
  }
  return {
    ...engine,
    register: registrar.register,
    /** Duty 13. */
    requestRegistration: async (request: RegisterRequest) => !draining && (await registrar.request(request)),
    receive,
    refer,
    ring,
    pickUp,
    progress,
    answer,
    press: inCall.press,
    measure: inCall.measure,
    silence,
    end,
    hangUpBy,
    codeCalls,
    isDraining: () => draining,
    /** The newest last, as the next two. */
    requests: () => requests,
    extensionInvites: () => extensionInvites,
    trunkInvites: () => trunkInvites,
    behave: (next: Script) => {
      script = next
    },
    /** As if the process had lost the call: no event. */
    lose: (callId: string) => calls.delete(callId),
    /** As if the process were killed: its calls go on in the network, and what it has recorded is on its disk. */
    kill() {
      killed = true
      for (const call of calls.values()) {
        call.timer?.cancel()
        call.silenceTimer?.cancel()
        if (!leftBehind.has(call.callId)) record(call, now())
      }
    },
  }
}
export type FakeEngine = ReturnType<typeof createFakeEngine>

function remember<T>(list: T[], one: T) {
  list.push(one)
  if (list.length > maxRemembered) list.shift()
}

function inviteHeaders(callId: string, autoAnswer: boolean): Record<string, string> {
  return {
    'X-Call-Id': callId,
    'X-Api4comintegratedcall': 'true',
    ...(autoAnswer && { 'Alert-Info': 'info=alert-autoanswer', 'Call-Info': 'answer-after=0' }),
  }
}
