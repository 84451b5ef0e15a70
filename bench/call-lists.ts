/**
 * Listing calls must not get slower with the size of the account: the same page and its exact total, in an account of
 * ten thousand calls and in one of BENCH_CALLS, ten million by default. That takes about 12 GB of disk and half an hour,
 * mostly to insert the calls; BENCH_FOLDER keeps them, and BENCH_OTHER_CALLS adds those of other accounts. Every search that
 * the contract lists is then compared with the plain page of the large account (D440, D441). BENCH_ONLY=ratios skips the
 * first part.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../src/kit/defined.ts'
import { type Compared, compared, indexed, type Search } from './parts/call-searches.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { api, type Service, startService } from './parts/service.ts'
import { type SizedAccount, withSizedAccounts } from './parts/sized-accounts.ts'
import type { Result } from './parts/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
/** Different searches, so that the database does not always read the same pages. */
const searches = 100
const perPage = 100
/** SEARCH_TOO_EXPENSIVE, and SEARCHES_BUSY while the budget of the account is used up. */
const refusals = [422, 503]

export function callLists(): Promise<Result[]> {
  return withSizedAccounts(async (folder, [few, many]) => {
    if (!few || !many) throw new Error('two accounts are compared')
    const results =
      process.env.BENCH_ONLY === 'ratios'
        ? []
        : await inService(folder, (service) =>
            withGenerator('anywhere', (generator) => compare(generator, service, [few, many])),
          )
    const rest = await inService(folder, async (service) => {
      const ratios: Result[] = []
      for (const [name, search] of Object.entries(compared)) {
        ratios.push(await ratioOf(service, many, name, search))
      }
      return ratios
    })
    results.push(...rest)
    return results
  })
}

async function inService<T>(folder: string, work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ folder, env: { RATE_LIMITS: 'off' } })
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

type Both = [few: SizedAccount, many: SizedAccount]

async function compare(generator: Generator, service: Service, [few, many]: Both): Promise<Result[]> {
  const results: Result[] = []
  for (const [name, search] of Object.entries(indexed)) {
    const paths = new Map<SizedAccount, string[]>()
    for (const account of [few, many]) {
      await expectTotals(service, account, name, search)
      paths.set(account, await pathsOf(service, account, search))
    }
    const inFew = () => costOf(generator, service, few, paths.get(few) ?? [])
    const inMany = () => costOf(generator, service, many, paths.get(many) ?? [])
    await inTurn(1, inFew, inMany)
    const pairs = await inTurn(rounds, inFew, inMany)
    results.push({
      name: `call-lists, ${name}`,
      measured: `${median(pairs.map(({ ours }) => ours)).toFixed(2)} ms (${many.calls} calls)`,
      baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(2)} ms (${few.calls})`,
      values: pairs.map(({ ours, baseline }) => ours / baseline),
      target: { atMost: 2 },
    })
  }
  return results
}

/** Milliseconds from a request to its answer, on average. */
async function costOf(generator: Generator, { port }: Service, account: SizedAccount, paths: string[]) {
  const requests = paths.map((path) => writeRequest({ path, token: account.token }))
  const outcome = await generator.run({ port, requests, connections: 1, perAddress: 'one', seconds })
  expectOnly(200, outcome)
  return (outcome.seconds / outcome.answered) * 1000
}

/** The plain page and the search in turn, in the large account. A search may be refused: that must be quick as well. */
async function ratioOf(
  service: Service,
  many: SizedAccount,
  name: string,
  search: Compared,
): Promise<Result> {
  const { where, order, limit, pageAt = 0 } = search
  const page = 1 + Math.floor((many.calls * pageAt) / perPage)
  const filter = {
    where: where(many),
    ...defined({ order, limit }),
  }
  const plain = () => timed(service, many, pathTo({ limit: limit ?? perPage }))
  const searched = async () => {
    const took = await timed(service, many, pathTo(filter, `page=${page}`))
    await refillBudget(took.ms)
    return took
  }
  const pairs = await inTurn(rounds, plain, searched)
  const last = pairs.at(-1)?.ours
  return {
    name: `call-lists, ${name}`,
    measured: `${median(pairs.map(({ ours }) => ours.ms)).toFixed(1)} ms, ${last?.words}`,
    baseline: `${median(pairs.map(({ baseline }) => baseline.ms)).toFixed(1)} ms (the plain page)`,
    values: pairs.map(({ ours, baseline }) => ours.ms / baseline.ms),
    target: { atMost: 3 },
  }
}

/** The budget of the account refills in ten times the time that a search took (D186): the next one need not wait. */
async function refillBudget(tookMs: number) {
  await sleep(10 * Math.max(0, tookMs - 100))
}

type Timed = { ms: number; words: string }

async function timed(service: Service, account: SizedAccount, path: string): Promise<Timed> {
  const began = performance.now()
  const { status, data, meta } = await get(service, account, path)
  const ms = performance.now() - began
  if (status !== 200 && !refusals.includes(status)) throw new Error(`${path}: ${status}`)
  if (status !== 200) return { ms, words: `refused (${status})` }
  return { ms, words: `${data.length} of ${meta.totalIsLowerBound ? 'at least ' : ''}${meta.totalItemCount}` }
}

function pathTo(filter: object, position = 'page=1'): string {
  return `${api}/calls?${position}&filter=${encodeURIComponent(JSON.stringify(filter))}`
}

async function pathsOf(service: Service, account: SizedAccount, search: Search): Promise<string[]> {
  const { where, filter = {}, page = 1, byCursor, byId } = search
  const newest = byId ? (await get(service, account, pathTo({}))).data : []
  const paths = []
  for (let index = 0; index < searches; index++) {
    const given = byId ? { id: newest[index]?.id } : where((index + 0.5) / searches, account)
    const asked = { where: given, ...filter }
    const cursor = byCursor && (await nextCursor(service, account, asked))
    paths.push(pathTo(asked, cursor ? `cursor=${encodeURIComponent(cursor)}` : `page=${page}`))
  }
  return paths
}

type Body = {
  data: { id: string }[]
  meta: { totalItemCount: number; totalIsLowerBound?: true; nextCursor?: string }
}

async function get(
  { url }: Service,
  { token }: SizedAccount,
  path: string,
): Promise<Body & { status: number }> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: token } })
  return { status: response.status, ...((await response.json()) as Body) }
}

async function nextCursor(service: Service, account: SizedAccount, filter: object): Promise<string> {
  const { meta } = await get(service, account, pathTo(filter))
  if (meta.nextCursor === undefined) throw new Error('the list has one page')
  return meta.nextCursor
}

/** The page must be full, and the total exact but for two calls at the ends of a range. */
async function expectTotals(service: Service, account: SizedAccount, name: string, search: Search) {
  const [path = ''] = await pathsOf(service, account, search)
  const { data, meta } = await get(service, account, path)
  const expected = Math.max(1, account.calls * search.found)
  const onPage = Math.min(search.filter?.limit ?? perPage, meta.totalItemCount)
  if (data.length === onPage && Math.abs(meta.totalItemCount - expected) <= 2) return
  throw new Error(
    `${name} in the ${account.name} account answered ${data.length} of ${meta.totalItemCount}, not ${expected}`,
  )
}
