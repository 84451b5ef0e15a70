/**
 * Three processes with every role on one PostgreSQL, with the fake engine: placing through another node against placing at
 * the node of the phone, calls per second with one, two and three nodes, and what the death of a node costs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetMember, withFleet } from './parts/fleet/members.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { type Job, type Outcome, writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { api } from './parts/service.ts'
import { alone, type Result } from './parts/table.ts'

const rounds = 5
const seconds = 4
/** Far from what a node can do: latency, not queueing. */
const perSecond = 50
const phonesPerNode = 20
const callsOfKilledNode = 100

type Fleet = Parameters<Parameters<typeof withFleet>[1]>[0]

export function fleet(): Promise<Result[]> {
  return withFleet({ nodes: 3, phonesPerNode }, (members) =>
    withGenerator('anywhere', (one) =>
      withGenerator('anywhere', (two) =>
        withGenerator('anywhere', async (three) => [
          ...(await placeElsewhere(one, members)),
          ...(await placeAtSeveral([one, two, three], members)),
          ...(await killOne(members)),
        ]),
      ),
    ),
  )
}

async function placeElsewhere(generator: Generator, { members, token }: Fleet): Promise<Result[]> {
  const [node, other] = members
  if (!node || !other) throw new Error('a fleet has several members')
  const at = async (asked: FleetMember) => {
    const outcome = await generator.run({ ...jobFor(asked, node, token), perSecond })
    expectOnly(200, outcome)
    await node.ask('endAll')
    return outcome
  }
  const here = () => at(node)
  const elsewhere = () => at(other)
  await inTurn(1, here, elsewhere)
  const pairs = await inTurn(rounds, here, elsewhere)
  return [
    ratio('place through another node, p50', pairs, ({ p50 }) => p50),
    ratio('place through another node, p99', pairs, ({ p99 }) => p99),
  ]
}

function ratio(
  name: string,
  pairs: { baseline: Outcome; ours: Outcome }[],
  read: (outcome: Outcome) => number,
): Result {
  const words = (side: 'ours' | 'baseline') =>
    `${median(pairs.map((pair) => read(pair[side]))).toFixed(1)} ms`
  return {
    name,
    measured: words('ours'),
    baseline: `${words('baseline')} (own node)`,
    values: pairs.map(({ ours, baseline }) => read(ours) / read(baseline)),
    target: { atMost: 1.3 },
  }
}

/** Each node has its own generator, and places for its own phones. */
async function placeAtSeveral(generators: Generator[], { members, token }: Fleet): Promise<Result[]> {
  const results: Result[] = []
  for (let count = 1; count <= members.length; count += 1) {
    const rates: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const outcomes = await Promise.all(
        members.slice(0, count).map((node, index) => generators[index]?.run(jobFor(node, node, token))),
      )
      for (const member of members) await member.ask('endAll')
      rates.push(
        outcomes.reduce((sum, outcome) => sum + (outcome ? outcome.answered / outcome.seconds : 0), 0),
      )
    }
    results.push(alone(`place, ${count} voice ${count === 1 ? 'node' : 'nodes'}`, rates, '/s'))
  }
  return results
}

/** The last member is killed with its calls; its phones register at the first and are called through the second. */
async function killOne({ members, token, query }: Fleet): Promise<Result[]> {
  const [first, second] = members
  const last = members.at(-1)
  if (!first || !second || !last) throw new Error('a fleet has several members')
  const [number = ''] = last.numbers
  for (let call = 0; call < callsOfKilledNode; call += 1) await placeOne(last, number, token)
  const live = async () =>
    Number((await query('select count(*) from calls where ended_at is null'))[0]?.count ?? 0)
  if ((await live()) < callsOfKilledNode) throw new Error('the calls of the killed node are not live')
  const began = performance.now()
  const since = () => (performance.now() - began) / 1000
  await last.kill()
  await first.register([number])
  while ((await placeOne(second, number, token)) !== 200) await sleep(10)
  const reachable = since()
  await first.ask('endAll')
  while ((await live()) > 0) await sleep(50)
  return [
    alone('a killed node: its phone called again, once registered elsewhere', [reachable], 's', { below: 5 }),
    alone(`a killed node: its ${callsOfKilledNode} calls ended`, [since()], 's', { below: 60 }),
  ]
}

const called = '5548999998888'
// The phones only ring, and each is called many times.
const headers = ['X-Allow-Duplicate: true']

async function placeOne(asked: FleetMember, extension: string, token: string): Promise<number> {
  const response = await fetch(`${asked.url}${api}/calls`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', 'x-allow-duplicate': 'true' },
    body: JSON.stringify({ extension, called }),
  })
  await response.arrayBuffer()
  return response.status
}

function jobFor(asked: FleetMember, node: FleetMember, token: string): Job {
  const requests = node.numbers.map((extension) =>
    writeRequest({ method: 'POST', path: `${api}/calls`, token, headers, body: { extension, called } }),
  )
  return { port: asked.port, requests, connections: 32, seconds, perAddress: 'one' }
}
