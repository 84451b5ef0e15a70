/** Capacity of the voice node: set-ups, recorded calls at once, and registrations; Asterisk beside it where it is there. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SetUps } from '../pbx/call-load.ts'
import { hasAsterisk, withAsterisk, withEngine } from '../pbx/pbx.ts'
import { memoryOf } from '../process-figures.ts'
import { type SipEndpoints, withSipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import { end, type Kind, type MediaBench, talk, withMedia } from '../webrtc/media-bench.ts'
import { type Capacity, measureCores, type Ramp, type Reading, raise, tooSlow } from './ramp.ts'

const maxSetUpMs = 200
const setUpSeconds = 4
const warmUp = { perSecond: 25, seconds: 3 }
/** Of the packets, in percent. */
const maxLate = 0.5
const talkSeconds = 5
const registeredFirst = 100_000

type Pbx = { pid: number; ask(name: 'setUp', job: { perSecond: number; seconds: number }): Promise<SetUps> }

export function setUpCapacity(): Promise<Capacity[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    const ramp = (name: string, { pid, ask }: Pbx): Ramp => ({
      name,
      unit: '/s',
      first: 25,
      highest: 3_200,
      run: async (perSecond) => {
        const { result, cores, rss } = await measureCores({ service: pid, load: endpoints.pid }, () =>
          ask('setUp', { perSecond, seconds: setUpSeconds }),
        )
        const failed = result.failed > 0 ? `${result.failed} calls failed` : undefined
        return { latencies: result, cores, rss, broken: failed ?? tooSlow(result, maxSetUpMs) }
      },
    })
    const ours = await withEngine({ endpoints, records: false }, async (engine) => {
      await engine.ask('setUp', warmUp)
      return await raise(ramp('calls set up, both legs', engine))
    })
    if (!hasAsterisk()) return [ours]
    const asterisk = await withAsterisk({ endpoints, records: false }, async (pbx) => {
      await pbx.ask('setUp', warmUp)
      return await raise(ramp('the same, Asterisk over ARI', pbx))
    })
    return [ours, asterisk]
  })
}

export async function recordedCapacity(): Promise<Capacity[]> {
  const capacities: Capacity[] = []
  for (const kind of ['plain', 'webrtc'] as const) {
    // Each from a new process: the recordings of the last take time to be written.
    const name =
      kind === 'plain' ? 'recorded calls at once' : 'recorded calls at once, one side a browser (SRTP)'
    capacities.push(
      await withMedia((bench) =>
        raise({ name, unit: '', first: 50, highest: 1_400, run: (count) => talkAt(bench, kind, count) }),
      ),
    )
  }
  return capacities
}

async function talkAt(bench: MediaBench, kind: Kind, count: number): Promise<Reading> {
  const { result, cores, rss } = await measureCores({ service: bench.pid, load: bench.loadPid }, () =>
    talk(bench, { kind, count, seconds: talkSeconds }).catch((error: Error) => error.message),
  )
  if (typeof result === 'string') await end(bench)
  return { cores, rss, broken: typeof result === 'string' ? result : tooLate(result) }
}

function tooLate({ late, sentLate }: { late: number; sentLate: number }): string | undefined {
  if (late <= maxLate) return undefined
  return `${late.toFixed(1)} % of the packets were late, ${sentLate.toFixed(1)} % sent late by the load`
}

/** Phones that stay registered, and register again at the end. */
export function registrationCapacity(): Promise<Capacity[]> {
  return withSipEndpoints('without RTP', (endpoints) =>
    withEngine({ endpoints, records: false }, async (engine) => [
      await raise({
        name: 'registered phones, all registering again within a minute',
        unit: '',
        first: 1_250,
        highest: 80_000,
        run: (count) => registerAll(endpoints, engine, count),
      }),
    ]),
  )
}

type Registering = {
  pid: number
  register(count: number, first?: number, seconds?: number): Promise<{ done: number; seconds: number }>
}

const minute = 60

async function registerAll(endpoints: SipEndpoints, engine: Registering, count: number): Promise<Reading> {
  await engine.register(count, registeredFirst)
  await sleep(500)
  const { result, cores } = await measureCores({ service: engine.pid, load: endpoints.pid }, () =>
    engine.register(count, registeredFirst, Math.min(10, minute)),
  )
  const perSecond = result.done / result.seconds
  const broken =
    perSecond < count / minute
      ? `only ${perSecond.toFixed(0)} of ${(count / minute).toFixed(0)} register in a second`
      : undefined
  return { cores, rss: memoryOf(engine.pid).rss, broken }
}
