/**
 * Searches of other accounts that are as expensive as they can be made, looping, and what an account notices of them that
 * places calls, asks who it is, and has credit reserved for a live call. Each p99 is compared with that of a quiet round
 * (D186): once with one attacker, whose searches wait for each other, and once with as many as fill the pool of searches.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FullService, post, withFullService } from './parts/full-service/full-service.ts'
import { addPhones, placeFromEach } from './parts/full-service/phones.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { type Job, writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { seedCalls } from './parts/seed-calls.ts'
import { api } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 8
const loops = 15
const phones = { first: 1010, count: 20 }
const perSecond = 50
/** Long enough that every loop has a search running or waiting. */
const headStartMs = 1_500
const attackers = 3
const storedCalls = 30_000
const metadataBytes = 3_000
const conditions = 95
/** SEARCH_TOO_EXPENSIVE */
const tooExpensive = 422

type Figures = { place: number; me: number; credit: number }
type Sides = { service: FullService; load: Generator }

/** Answers to hostile searches, by status. */
const searches: Record<number, number> = {}

export function hostileSearches(): Promise<Result[]> {
  return withFullService({ engine: 'fake' }, (service) =>
    withGenerator('anywhere', async (load) => {
      const sides = { service, load }
      const tokens = await openAttackers(service)
      await openOffice(service)
      await measure(sides)
      const one = await compare(sides, tokens.slice(0, 1))
      const several = await compare(sides, tokens)
      if (!searches[tooExpensive]) throw new Error(`no search was too expensive: ${JSON.stringify(searches)}`)
      return [...report('one attacker', one), ...report(`${attackers} attackers`, several)]
    }),
  )
}

/** Accounts with many calls, whose metadata a search has to read. */
async function openAttackers(service: FullService): Promise<string[]> {
  const accounts = []
  for (let made = 0; made < attackers; made++) accounts.push(await service.ask('openAccount'))
  const toSeed = accounts.map(({ domain }) => ({ domain, calls: storedCalls, metadataBytes }))
  await seedCalls(service.folder, toSeed)
  return accounts.map(({ admin }) => admin)
}

async function openOffice(service: FullService) {
  await addPhones(service, phones)
  await service.ask('behave', 'rings only')
}

/** A quiet round and one under attack, in turn. */
function compare(sides: Sides, tokens: string[]) {
  return inTurn(
    rounds,
    () => measure(sides),
    async () => {
      const attack = loopSearches(sides.service, tokens)
      await sleep(headStartMs)
      const figures = await measure(sides)
      await attack
      return figures
    },
  )
}

/** Ends when the last search is answered: those of one account run one after the other, so the last waits long. */
async function loopSearches({ url }: FullService, tokens: string[]) {
  const end = performance.now() + headStartMs + seconds * 1000
  const loop = async (token: string) => {
    do {
      const response = await fetch(`${url}${hostilePath}`, { headers: { authorization: token } })
      await response.arrayBuffer()
      searches[response.status] = (searches[response.status] ?? 0) + 1
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: loops }, (_, index) => loop(tokens[index % tokens.length] ?? '')))
}

/** The slowest hundredth, in milliseconds. */
async function measure({ service, load }: Sides): Promise<Figures> {
  const { port, token } = service
  const { body } = await post(service, '/calls', { extension: `${phones.first}`, called: '5548999998888' })
  const job = { port, connections: 16, seconds, perAddress: 'one', perSecond } as const
  const run = async (requests: Job['requests']) => {
    const outcome = await load.run({ ...job, requests })
    expectOnly(200, outcome)
    return outcome.p99
  }
  const [place, me, credit] = await Promise.all([
    run(placeFromEach(phones, token)),
    run([writeRequest({ path: `${api}/users/me`, token })]),
    service.ask('extendCredit', { callId: body.id ?? '', seconds }),
  ])
  await service.ask('endAll')
  return { place, me, credit }
}

/** Every condition backtracks through the whole text of every call, and none is met. */
const hostilePath = (() => {
  const or = Array.from({ length: conditions }, (_, index) => ({
    'metadata.y': { ilike: `${'%a'.repeat(3 + (index % 10))}%q${index}` },
  }))
  return `${api}/calls?page=1&filter=${encodeURIComponent(JSON.stringify({ where: { or } }))}`
})()

function report(attack: string, pairs: { baseline: Figures; ours: Figures }[]): Result[] {
  const names = { place: 'POST /calls', me: 'GET /users/me', credit: 'credit of a live call' }
  return (['place', 'me', 'credit'] as const).map((figure) => {
    const words = (side: 'ours' | 'baseline') =>
      `${median(pairs.map((pair) => pair[side][figure])).toFixed(2)} ms`
    return {
      name: `hostile-searches, ${attack}, ${names[figure]}, p99`,
      measured: words('ours'),
      baseline: `${words('baseline')} (quiet)`,
      values: pairs.map(({ ours, baseline }) => ours[figure] / baseline[figure]),
      target: { atMost: 2 },
    }
  })
}
