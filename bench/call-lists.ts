/**
 * Listing calls must not get slower with the size of the account: the same page and its exact total, in an account of
 * ten thousand calls and in one of BENCH_CALLS, ten million by default. That takes about 12 GB of disk and half an hour,
 * mostly to insert the calls; BENCH_FOLDER keeps them. Searches that no index has are timed once each: they end within
 * three seconds (D186).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { bounded, indexed, type Search, withinADay } from './parts/call-searches.ts'
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { api, type Service, startService } from './parts/service.ts'
import { type SizedAccount, withSizedAccounts } from './parts/sized-accounts.ts'
import type { Result } from './parts/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const seconds = 2
/** Different searches, so that the database does not always read the same pages. */
const searches = 100
const timeoutMs = 3_000
/** Beyond the timeout of a search: the request around it. */
const graceMs = 500
/** SEARCH_TOO_EXPENSIVE */
const tooExpensive = 422
/** SEARCHES_BUSY */
const busy = 503

export function callLists(): Promise<Result[]> {
  return withSizedAccounts(async (folder, accounts) => {
    const service = await startService({ folder, env: { RATE_LIMITS: 'off' } })
    try {
      return await withGenerator('anywhere', (generator) => measure(generator, service, accounts))
    } finally {
      await service.stop()
    }
  })
}

async function measure(
  generator: Generator,
  service: Service,
  [few, many]: SizedAccount[],
): Promise<Result[]> {
  if (!few || !many) return []
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
    results.push(resultOf(name, [few, many], await inTurn(rounds, inFew, inMany)))
  }
  for (const [name, where] of Object.entries(bounded)) {
    results.push(await timeOf(service, many, name, where))
    results.push(await timeOf(service, many, `${name}, of the last day`, withinADay(where, many)))
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

type Pair = { baseline: number; ours: number }

function resultOf(name: string, [few, many]: [SizedAccount, SizedAccount], pairs: Pair[]): Result {
  return {
    name: `call-lists, ${name}`,
    measured: `${median(pairs.map(({ ours }) => ours)).toFixed(2)} ms (${many.calls} calls)`,
    baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(2)} ms (${few.calls})`,
    values: pairs.map(({ ours, baseline }) => ours / baseline),
    target: { atMost: 2 },
  }
}

/** One request, in the large account: answered, or refused in time. */
async function timeOf(service: Service, account: SizedAccount, name: string, where: object): Promise<Result> {
  let { status, ms, retryAfter } = await timed(service, account, where)
  // The account has used up its search time for the moment.
  while (status === busy) {
    await sleep(retryAfter * 1000)
    ;({ status, ms, retryAfter } = await timed(service, account, where))
  }
  if (status !== 200 && status !== tooExpensive) throw new Error(`${name} was answered ${status}`)
  return {
    name: `call-lists, ${name}`,
    measured: `${ms.toFixed(0)} ms, ${status === 200 ? 'answered' : 'refused (422)'}`,
    baseline: '',
    values: [ms],
    unit: 'ms',
    target: { below: timeoutMs + graceMs },
  }
}

async function timed(service: Service, account: SizedAccount, where: object) {
  const began = performance.now()
  const { status, retryAfter } = await get(service, account, pathTo({ where }))
  return { status, retryAfter, ms: performance.now() - began }
}

function pathTo(filter: object, position = 'page=1'): string {
  return `${api}/calls?${position}&filter=${encodeURIComponent(JSON.stringify(filter))}`
}

async function pathsOf(service: Service, account: SizedAccount, search: Search): Promise<string[]> {
  const { where, filter = {}, page = 1, byCursor } = search
  const paths = []
  for (let index = 0; index < searches; index++) {
    const asked = { where: where((index + 0.5) / searches, account), ...filter }
    const cursor = byCursor && (await nextCursor(service, account, asked))
    paths.push(pathTo(asked, cursor ? `cursor=${encodeURIComponent(cursor)}` : `page=${page}`))
  }
  return paths
}

type Body = { data: unknown[]; meta: { totalItemCount: number; nextCursor?: string } }
type Page = Body & { status: number; retryAfter: number }

async function get({ url }: Service, { token }: SizedAccount, path: string): Promise<Page> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: token } })
  const retryAfter = Number(response.headers.get('retry-after') ?? 1)
  return { status: response.status, retryAfter, ...((await response.json()) as Body) }
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
  const onPage = Math.min(100, meta.totalItemCount)
  if (data.length === onPage && Math.abs(meta.totalItemCount - expected) <= 2) return
  throw new Error(
    `${name} in the ${account.name} account answered ${data.length} of ${meta.totalItemCount}, not ${expected}`,
  )
}
