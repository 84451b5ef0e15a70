/**
 * Numbers that offices verify by a call (D188): each number is called once, and the person who answers types the code, another one
 * or none. How a call ended at its node is kept for the auditor.
 */
import type { FakeEngine } from '../../src/engine/fake.ts'
import type { CodeCallRequest, CodeCallResult, VoiceEngine } from '../../src/engine/port.ts'
import { inside } from '../sim/globals.ts'
import type { ServiceProcess } from '../sim/service-process.ts'
import { read, statusOf, type WhileBusy } from './answers.ts'
import type { Office } from './office.ts'
import type { World } from './world.ts'

/** Of an office in a day ten calls are allowed; the last ones are for the probes. */
const maxOfOffice = 8
/** Until the call of a process that died is ended by another one: the longest call, two minutes, and a round of the sweep. */
const lostAfterMs = 300_000
/** As long as most of them last. */
const callMs = 25_000

export function createNumbers({ scheduler, random, history, wait }: World) {
  const made = new Map<Office, number>()
  let numbers = 0
  let lastAt = Number.NEGATIVE_INFINITY

  const between = (from: number, to: number) => from + random.next() * (to - from)

  /** Whoever is at the number. */
  function answer(process: ServiceProcess, engine: FakeEngine, { callId, code }: CodeCallRequest) {
    const later = (ms: number, run: () => void) => scheduler.schedule(ms, () => inside(process, run), process)
    const mood = random.next()
    if (mood < 0.1) return
    const pickedUpMs = between(500, 8_000)
    later(pickedUpMs, () => engine.codeCalls.answer(callId))
    const wrong = code === '000000' ? '111111' : '000000'
    const typed = mood < 0.2 ? '' : mood < 0.3 ? wrong.repeat(3) : code
    later(pickedUpMs + between(1_000, 40_000), () => engine.codeCalls.press(callId, typed))
  }

  function finish({ callId, number }: CodeCallRequest, { outcome, answeredAt, endedAt }: CodeCallResult) {
    const talkedMs = answeredAt ? endedAt.getTime() - answeredAt.getTime() : 0
    history.push({ kind: 'code call', at: scheduler.now(), call: callId, number, outcome, talkedMs })
  }

  /** An office has one such call at a time. */
  async function verify(office: Office, whileBusy: WhileBusy) {
    const before = made.get(office) ?? 0
    if (before >= maxOfOffice) return
    made.set(office, before + 1)
    await whileBusy(() => call(office))
    lastAt = scheduler.now()
    await wait(callMs)
  }

  async function call(office: Office) {
    numbers += 1
    const number = `55489${88_000_000 + numbers}`
    const claimed = await office.send('POST', '/numbers', { number: `+${number}` })
    const id = read<number>(claimed, 'id')
    if (id === undefined) return
    const answered = await office.send('POST', `/numbers/${id}/verify`)
    history.push({
      kind: 'verify',
      at: scheduler.now(),
      account: office.domain,
      number,
      ...statusOf(answered),
    })
  }

  return {
    verify,
    /** When there are no faults. */
    probe: (office: Office, whileBusy: WhileBusy) => whileBusy(() => call(office)),
    wrap(process: ServiceProcess, engine: FakeEngine): VoiceEngine {
      return {
        ...engine,
        async callForCode(request) {
          const placed = engine.callForCode(request)
          answer(process, engine, request)
          const result = await placed
          finish(request, result)
          return result
        },
      }
    },
    /** Lets the time pass in which calls of processes that died are ended. */
    settled: () => wait(Math.max(0, lastAt + lostAfterMs - scheduler.now())),
  }
}
