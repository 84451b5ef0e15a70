/** Capacity of the voice node: recorded calls at once. Latencies are those of packets, after they were due. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hasAsterisk, withAsterisk, withEngine } from '../pbx/pbx.ts'
import { type SipEndpoints, withSipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import { end, type MediaBench, talk, withMedia } from '../webrtc/media-bench.ts'
import type { Kind } from '../webrtc/media-process.ts'
import { type Capacity, measureCores, type Reading, raise } from './ramp.ts'

/** Of the packets, in percent. */
const maxLate = 0.5
const seconds = 5
const perSecond = 50
/** Of a new process. */
const warmUp = { count: 20, seconds: 3 }

const kinds: Record<Kind, string> = {
  plain: 'recorded calls at once, sound alone',
  srtp: 'the same, one side with SRTP (keys in the SDP)',
  webrtc: 'the same, one side a browser (WebRTC)',
}

/** The media without SIP, so that the load can be of any kind. */
export async function soundCapacity(): Promise<Capacity[]> {
  const capacities: Capacity[] = []
  for (const kind of ['plain', 'srtp', 'webrtc'] as const) {
    const run = (count: number) =>
      withMedia(async (bench) => {
        await talk(bench, { kind, ...warmUp })
        return await talkAt(bench, kind, count)
      })
    capacities.push(await raise({ name: kinds[kind], unit: '', first: 100, highest: 1_400, run }))
  }
  return capacities
}

async function talkAt(bench: MediaBench, kind: Kind, count: number): Promise<Reading> {
  const { result, ...used } = await measureCores({ service: bench.pid, load: bench.loadPid }, () =>
    talk(bench, { kind, count, seconds }).catch((error: Error) => error.message),
  )
  if (typeof result === 'string') {
    await end(bench)
    return { ...used, broken: result }
  }
  return { ...used, latencies: result.latencies, broken: tooLate(result) }
}

type Held = { late: number; sentLate: number }

function tooLate({ late, sentLate }: Held): string | undefined {
  if (late <= maxLate) return undefined
  return `${late.toFixed(1)} % of the packets were late, ${sentLate.toFixed(1)} % sent late by the load`
}

type Pbx = {
  pid: number
  ask(name: 'hold', job: { count: number; perSecond: number }): Promise<void>
}

/** Calls by SIP, with sound in both directions. Asterisk mixes what it records, so that its packets cannot be known again. */
export function recordedCapacity(): Promise<Capacity[]> {
  return withSipEndpoints('with RTP', async (endpoints) => {
    const options = { endpoints, records: true }
    const ours = await raise({
      name: 'recorded calls at once, by SIP',
      unit: '',
      first: 200,
      highest: 1_600,
      run: (count) => withEngine(options, (engine) => holdAt(endpoints, engine, count)),
    })
    if (!hasAsterisk()) return [ours]
    const asterisk = await raise({
      name: 'the same, Asterisk over ARI',
      unit: '',
      first: 100,
      highest: 1_600,
      run: (count) => withAsterisk(options, (pbx) => holdAt(endpoints, pbx, count)),
    })
    const { latencies: _unknown, ...reading } = asterisk.reading
    return [ours, { ...asterisk, reading }]
  })
}

/** Carried: no packet is missing, and those that are known again are in time. */
async function holdAt(endpoints: SipEndpoints, { pid, ask }: Pbx, count: number): Promise<Reading> {
  const problem = await ask('hold', { count, perSecond }).then(
    () => undefined,
    (error: Error) => error.message.split('\n')[0],
  )
  await sleep(500)
  await endpoints.ask('rtpCounts')
  const { result, ...used } = await measureCores({ service: pid, load: endpoints.pid }, async () => {
    await sleep(seconds * 1000)
    return await endpoints.ask('rtpCounts')
  })
  const { sent, sentLate, received, late, latencies } = result
  const share = (packets: number) => (packets / sent) * 100
  const missing =
    share(sent - received) > maxLate
      ? `${share(sent - received).toFixed(1)} % of the packets are missing`
      : undefined
  const broken = problem ?? missing ?? tooLate({ late: share(late), sentLate: share(sentLate) })
  return { ...used, latencies, broken }
}
