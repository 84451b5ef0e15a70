/** Capacity of a media thread: recorded calls at once, without SIP, so that the load can be of any kind. */
import { type MediaBench, talk, withMedia } from '../webrtc/media-bench.ts'
import type { Kind } from '../webrtc/media-process.ts'
import { measureCores } from './cores.ts'
import { type Capacity, type Reading, raise, tooLate } from './ramp.ts'

const seconds = 4
/** Calls and seconds before a new process is measured. */
const warmUp = { count: 20, seconds: 2 }

const kinds: Record<Kind, string> = {
  plain: 'recorded calls at once, sound alone',
  srtp: 'the same, one side with SRTP (keys in the SDP)',
  webrtc: 'the same, one side a browser (WebRTC)',
}

export async function soundCapacity(): Promise<Capacity[]> {
  const capacities: Capacity[] = []
  for (const kind of ['plain', 'srtp', 'webrtc'] as const) {
    const run = (count: number) =>
      withMedia('dgram', async (bench) => {
        await talk(bench, { calls: { [kind]: warmUp.count }, seconds: warmUp.seconds })
        return await talkAt(bench, kind, count)
      })
    capacities.push(await raise({ name: kinds[kind], unit: '', first: 100, highest: 1_400, run }))
  }
  return capacities
}

async function talkAt(bench: MediaBench, kind: Kind, count: number): Promise<Reading> {
  const { result, ...used } = await measureCores({ service: bench.pid, load: bench.loadPid }, () =>
    talk(bench, { calls: { [kind]: count }, seconds }).catch((error: Error) => error.message.split('\n')[0]),
  )
  if (typeof result !== 'object') return { ...used, broken: result }
  return { ...used, latencies: result.latencies, broken: tooLate(result) }
}
