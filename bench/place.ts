/**
 * `POST /calls` with the fake engine, whose phones only ring, against a bare node:http server. The call is stored before
 * the response.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startNode, stopChild } from './parts/children.ts'
import { type FullService, withFullService } from './parts/full-service/full-service.ts'
import { addPhones, placeFromEach } from './parts/full-service/phones.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import type { Job, Outcome } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { alone, type Result } from './parts/table.ts'

const rounds = 5
/** Short enough that no account has more calls at once than it may have, 10,000. */
const seconds = 3
const phones = { first: 1010, count: 50 }
const sustained = 1_500
/** Calls only ring until the end of a round; the fake engine uses no ports. */
const portsForAllCalls = '1024-65535'

export function place(): Promise<Result[]> {
  return withFullService({ engine: 'fake', env: { RTP_PORTS: portsForAllCalls } }, (service) =>
    withGenerator('anywhere', async (generator) => {
      await addPhones(service, phones)
      const bare = await startBareServer(service.token)
      try {
        return await measure(generator, service, bare.port)
      } finally {
        await bare.stop()
      }
    }),
  )
}

async function measure(generator: Generator, service: FullService, barePort: number): Promise<Result[]> {
  const job = placeCalls(service)
  const baseline = () => run({ ...job, port: barePort })
  const ours = () => run(job)

  async function run(wanted: Job): Promise<Outcome> {
    const outcome = await generator.run(wanted)
    expectOnly(200, outcome)
    // All calls are ended before the next round.
    await service.ask('endAll')
    return outcome
  }

  await service.ask('behave', 'rings only')
  await inTurn(1, baseline, ours)
  const pairs = await inTurn(rounds, baseline, ours)
  const steady: Outcome[] = []
  for (let round = 0; round < rounds; round++) steady.push(await run({ ...job, perSecond: sustained }))
  await service.ask('behave', 'whole life')
  const lives = await inTurn(rounds, baseline, ours)
  return [
    ratio('place, flat out', pairs),
    alone(
      'place, calls accepted and stored',
      pairs.map(({ ours }) => rate(ours)),
      '/s',
      { atLeast: sustained },
    ),
    alone(
      `place, p99 at ${sustained}/s`,
      steady.map(({ p99 }) => p99),
      'ms',
      { below: 50 },
    ),
    ratio('place, with every event of the call', lives),
  ]
}

const rate = ({ answered, seconds: took }: Outcome) => answered / took

function ratio(name: string, pairs: { baseline: Outcome; ours: Outcome }[]): Result {
  const words = (side: 'ours' | 'baseline') =>
    `${median(pairs.map((pair) => rate(pair[side]))).toFixed(0)} req/s`
  return {
    name,
    measured: words('ours'),
    baseline: `${words('baseline')} (bare)`,
    values: pairs.map(({ ours, baseline }) => rate(ours) / rate(baseline)),
    better: 'more',
  }
}

function placeCalls({ port, token }: FullService): Job {
  const requests = placeFromEach(phones, token)
  return { port, requests, connections: 64, seconds, perAddress: 'one' }
}

async function startBareServer(token: string) {
  const program = fileURLToPath(new URL('./parts/http-load/bare-server-process.ts', import.meta.url))
  const child = startNode({
    args: [program, token],
    place: 'anywhere',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [AddressInfo]
  return { port, stop: () => stopChild(child) }
}
