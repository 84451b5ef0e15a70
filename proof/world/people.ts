/**
 * People at phones and behind carriers: they pick up, are busy, talk and hang up, each after a while. Between the engine and
 * its host events come late, twice or out of order. What really happened is kept for the auditor.
 */
import type { FakeEngine } from '../../src/engine/fake.ts'
import type { CallEvent, CallRequest, EngineHost, ExtensionName } from '../../src/engine/port.ts'
import { inside } from '../sim/globals.ts'
import type { ServiceProcess } from '../sim/service-process.ts'
import { randomNumber } from './answers.ts'
import type { World } from './world.ts'

/** How long the effects of a pause, and of connections that are silent, may last. */
const pauseEffectMs = 30_000
const silenceEffectMs = 60_000
/** How long what was due during a pause may take after it. */
const resumeMs = 500
/** By then the end of a call is stored, whatever happened to the database. */
const storedWithinMs = 30_000

type Talking = { answeredAt: number; isRecorded: boolean }

export function createPeople({ scheduler, random, history, hasFaults }: World) {
  const talking = new Map<ServiceProcess, Map<string, Talking>>()
  const recorded = new Set<string>()
  /** When the last call has to be over. */
  let closesAt = Number.POSITIVE_INFINITY
  /** Nobody hangs up before. */
  let isPatient = false

  const between = (from: number, to: number) => from + random.next() * (to - from)

  function later(process: ServiceProcess, ms: number, run: () => void) {
    scheduler.schedule(ms, () => inside(process, run), process)
  }

  /** The phone of a placed call. */
  function answerPhone(process: ServiceProcess, engine: FakeEngine, { callId, extension }: CallRequest) {
    history.push({
      kind: 'rang',
      at: scheduler.now(),
      account: extension.domain,
      extension: extension.number,
      phone: engine.registration(extension)?.state ?? '',
      call: callId,
    })
    const mood = random.next()
    if (mood < 0.06)
      return later(process, between(50, 900), () => engine.end(callId, 'USER_BUSY', 'extension'))
    later(process, between(50, 500), () => engine.ring(callId))
    if (mood < 0.1) return
    if (mood < 0.14) return later(process, between(500, 5_000), () => cancel(engine, callId))
    later(process, between(300, 3_000), () => {
      engine.pickUp(callId)
      answerFarSide(process, engine, callId, extension)
    })
  }

  function cancel(engine: FakeEngine, callId: string) {
    history.push({ kind: 'cancelled', at: scheduler.now(), call: callId })
    engine.hangUpBy(callId, 'extension')
  }

  /** `extension`: whose phone is in the call, and may transfer it. */
  function answerFarSide(
    process: ServiceProcess,
    engine: FakeEngine,
    callId: string,
    extension?: ExtensionName,
  ) {
    later(process, between(200, 1_500), () => engine.progress(callId))
    const mood = random.next()
    if (mood < 0.08)
      return later(process, between(500, 3_000), () => engine.end(callId, 'USER_BUSY', 'other'))
    if (mood < 0.12) return
    if (mood < 0.15) return later(process, between(500, 9_000), () => cancel(engine, callId))
    later(process, between(300, 4_000), () => {
      engine.answer(callId)
      talk(process, engine, callId, extension)
    })
  }

  function talk(process: ServiceProcess, engine: FakeEngine, callId: string, extension?: ExtensionName) {
    // Some outlast the time that a node goes on without the database.
    const most = random.pick([1_500, 8_000, 8_000, 15_000, 50_000, 120_000]) ?? 0
    const untilClosing = closesAt - scheduler.now()
    const length = isPatient ? untilClosing : between(most / 5, most)
    later(process, Math.min(length, Math.max(500, untilClosing)), () =>
      engine.hangUpBy(callId, random.next() < 0.5 ? 'extension' : 'other'),
    )
    if (extension && !isPatient && random.next() < 0.05)
      later(process, between(300, length), () => void refer(process, engine, callId, extension))
  }

  /** The phone leaves the call to a third party, which is dialled. */
  async function refer(
    process: ServiceProcess,
    engine: FakeEngine,
    callId: string,
    extension: ExtensionName,
  ) {
    const answer = await engine.refer(callId, extension, randomNumber(random)).catch(() => undefined)
    if (!answer || 'rejected' in answer) return
    const transfer = {
      kind: 'transfer',
      at: scheduler.now(),
      account: extension.domain,
      call: callId,
    } as const
    history.push({ ...transfer, status: 200, second: answer.callId })
    answerFarSide(process, engine, answer.callId)
  }

  /** A carrier brings a call, or a phone dials: the host has taken it. */
  function join(
    process: ServiceProcess,
    engine: FakeEngine,
    callId: string,
    { fromCarrier = false, extension }: { fromCarrier?: boolean; extension?: ExtensionName } = {},
  ) {
    if (!fromCarrier) return answerFarSide(process, engine, callId, extension)
    later(process, between(50, 300), () => engine.ring(callId))
    if (random.next() < 0.2) return later(process, between(1_000, 9_000), () => cancel(engine, callId))
    later(process, between(500, 8_000), () => {
      engine.pickUp(callId)
      talk(process, engine, callId, extension)
    })
  }

  function observe(process: ServiceProcess, event: CallEvent) {
    const own = talking.get(process) ?? new Map<string, Talking>()
    talking.set(process, own)
    if (event.type === 'answered')
      own.set(event.callId, { answeredAt: scheduler.now(), isRecorded: recorded.has(event.callId) })
    if (event.type !== 'ended') return
    const talk = own.get(event.callId)
    finish(process, event.callId, event.recording !== undefined)
    if (talk) scheduler.schedule(storedWithinMs, () => noteUndisturbed(process, event.callId, talk), process)
  }

  function noteUndisturbed(process: ServiceProcess, call: string, { answeredAt }: Talking) {
    const { isUp, pausedUntil, silencedAt } = process
    const isWell = answeredAt > pausedUntil + pauseEffectMs && answeredAt > silencedAt + silenceEffectMs
    if (isUp && isWell) history.push({ kind: 'undisturbed', call })
  }

  function finish(process: ServiceProcess, call: string, isRecorded: boolean) {
    const { answeredAt } = talking.get(process)?.get(call) ?? {}
    if (answeredAt === undefined) return
    talking.get(process)?.delete(call)
    const endedAt = scheduler.now()
    // A process that is paused sends no sound, and hangs up as soon as it goes on.
    const isOfPause = endedAt < process.pausedUntil + resumeMs
    const silentAt = isOfPause ? Math.max(answeredAt, process.pausedAt) : endedAt
    history.push({ kind: 'talk', call, answeredAt, endedAt, silentAt, isRecorded })
  }

  /** An engine promises order (duty 1 of its port); here it is broken now and then, which must change nothing. */
  function deliver(process: ServiceProcess, host: EngineHost, event: CallEvent) {
    const roll = hasFaults() ? random.next() : 1
    const isLate = roll < 0.1
    const isDoubled = roll < 0.05 || (roll >= 0.1 && roll < 0.3)
    if (isLate) later(process, between(1, 2_500), () => host.onCall(event))
    else host.onCall(event)
    if (isDoubled) later(process, between(1, 6_000), () => host.onCall(event))
  }

  return {
    join,
    wrap(process: ServiceProcess, host: EngineHost): EngineHost {
      return {
        ...host,
        onCall(event) {
          observe(process, event)
          deliver(process, host, event)
        },
      }
    },
    onEngine(process: ServiceProcess, engine: FakeEngine) {
      engine.behave((request) => {
        if (request.record) recorded.add(request.callId)
        answerPhone(process, engine, request)
        return []
      })
    },
    /** The sound of its calls stops. */
    onKilled(process: ServiceProcess) {
      const own = talking.get(process) ?? new Map<string, Talking>()
      // The recording is on the disk of its machine.
      for (const [call, { isRecorded }] of [...own]) finish(process, call, isRecorded)
    },
    closeAt(at: number, mode?: 'patient') {
      closesAt = at
      isPatient = mode === 'patient'
      for (const [process, own] of talking)
        for (const call of own.keys())
          later(process, Math.max(0, at - scheduler.now()) * random.next(), () =>
            process.engine?.hangUpBy(call, 'other'),
          )
    },
  }
}
export type People = ReturnType<typeof createPeople>
