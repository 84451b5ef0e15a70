/**
 * Both kinds of UDP sockets of media (D631): CPU of recorded calls whose phone is plain, has SRTP or is a browser, each
 * against a bare relay by node:dgram in the same round, and a bare relay in C where there is a compiler.
 */
import { median } from './parts/rounds.ts'
import type { Result } from './parts/table.ts'
import { hasCompiler, withCRelay } from './parts/webrtc/c-relay.ts'
import {
  type BareRelay,
  type Measured,
  type MediaBench,
  talk,
  talkBare,
  withMedia,
} from './parts/webrtc/media-bench.ts'
import type { Kind } from './parts/webrtc/media-process.ts'

const rounds = 3
const seconds = 5
const count = 50
const kinds: Kind[] = ['plain', 'srtp', 'webrtc']
/** The most CPU that a call by epoll may take, in that of a bare relay by node:dgram. */
const targets = { plain: 0.9, srtp: 1.2, webrtc: 1.1 }

export function mediaSockets(): Promise<Result[]> {
  return hasCompiler() ? withCRelay(compare) : compare()
}

function compare(inC?: BareRelay): Promise<Result[]> {
  return withMedia('dgram', (node) =>
    withMedia('epoll', async (own) => {
      const bare: Measured[] = []
      const bareInC: number[] = []
      const measured = { dgram: emptyRounds(), epoll: emptyRounds() }
      for (let round = 0; round < rounds; round += 1) {
        bare.push(await talkBare(node, { count, seconds }))
        if (inC) bareInC.push((await talkBare({ ...node, bare: inC }, { count, seconds })).cpu)
        for (const kind of kinds) {
          measured.dgram[kind].push(await cpuOf(node, kind))
          measured.epoll[kind].push(await cpuOf(own, kind))
        }
      }
      const compared = kinds.flatMap((kind) => [
        toResult(`media-sockets, recorded ${kind} call by dgram`, measured.dgram[kind], bare),
        {
          ...toResult(`media-sockets, recorded ${kind} call by epoll`, measured.epoll[kind], bare),
          target: { atMost: targets[kind] },
        },
      ])
      return inC ? [toResult('media-sockets, bare relay in C', bareInC, bare), ...compared] : compared
    }),
  )
}

const emptyRounds = (): Record<Kind, number[]> => ({ plain: [], srtp: [], webrtc: [] })

async function cpuOf(bench: MediaBench, kind: Kind): Promise<number> {
  return (await talk(bench, { calls: { [kind]: count }, seconds })).cpu
}

function toResult(name: string, costs: number[], bare: Measured[]): Result {
  return {
    name,
    measured: `${median(costs).toFixed(2)} %`,
    baseline: `${median(bare.map(({ cpu }) => cpu)).toFixed(2)} % (node:dgram)`,
    values: costs.map((cpu, round) => cpu / (bare[round]?.cpu ?? Number.NaN)),
    better: 'less',
  }
}
