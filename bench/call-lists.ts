/**
 * Listing calls must not get slower with the size of the account: the same page and its exact total, in an account of
 * ten thousand calls and in one of ten million. Takes about 10 GB of disk and half an hour, mostly to insert the calls.
 */
import { expectOnly, type Generator, withGenerator } from './parts/http-load/generator.ts'
import { writeRequest } from './parts/http-load/job.ts'
import { inTurn, median } from './parts/rounds.ts'
import { campaigns, days, extensions, seedCalls, startOf } from './parts/seed-calls.ts'
import { api, createAccount, inFolder, type Service, startService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const rounds = 7
const seconds = 2
const small = { name: 'small', calls: 10_000 }
const large = { name: 'large', calls: 10_000_000 }
/** Different searches, so that the database does not always read the same pages. */
const searches = 100
const rangeDays = 30

type Account = typeof small & { token: string }

/** `share` (0 to 1) selects a position among the account's calls. */
const conditions = {
  newest: () => ({}),
  'a date range': (share: number) => {
    const from = share * (1 - rangeDays / days)
    return { started_at: { between: [startOf(from), startOf(from + rangeDays / days)] } }
  },
  'one extension': (share: number) => ({ from: String(1000 + Math.floor(share * extensions)) }),
  'a rare metadata value': (share: number, { calls }: Account) => ({
    'metadata.lead_id': 1 + Math.floor(share * calls),
  }),
  'a common metadata value': (share: number) => ({
    'metadata.campaign': `campaign ${Math.floor(share * campaigns)}`,
  }),
}
type Kind = keyof typeof conditions

export function callLists(): Promise<Result[]> {
  return inFolder(async (folder) => {
    const accounts: Account[] = []
    for (const size of [small, large])
      accounts.push({ ...size, ...(await createAccount({ folder }, size.name)) })
    await seedCalls(
      folder,
      accounts.map(({ name, calls }) => ({ domain: `${name}.ramal.localhost`, calls })),
    )
    const service = await startService({ folder, env: { RATE_LIMITS: 'off' } })
    try {
      return await withGenerator('anywhere', (generator) => measure(generator, service, accounts))
    } finally {
      await service.stop()
    }
  })
}

async function measure(generator: Generator, service: Service, [few, many]: Account[]): Promise<Result[]> {
  if (!few || !many) return []
  const results: Result[] = []
  for (const kind of Object.keys(conditions) as Kind[]) {
    await expectTotals(service, [few, many], kind)
    const inFew = () => costOf(generator, service, few, kind)
    const inMany = () => costOf(generator, service, many, kind)
    await inTurn(1, inFew, inMany)
    results.push(resultOf(kind, await inTurn(rounds, inFew, inMany)))
  }
  return results
}

/** Milliseconds from a request to its answer, on average. */
async function costOf(generator: Generator, { port }: Service, account: Account, kind: Kind) {
  const requests = pathsOf(account, kind).map((path) => writeRequest({ path, token: account.token }))
  const outcome = await generator.run({ port, requests, connections: 1, perAddress: 'one', seconds })
  expectOnly(200, outcome)
  return (outcome.seconds / outcome.answered) * 1000
}

function resultOf(kind: Kind, pairs: { baseline: number; ours: number }[]): Result {
  return {
    name: `call-lists, ${kind}`,
    measured: `${median(pairs.map(({ ours }) => ours)).toFixed(2)} ms (${large.calls} calls)`,
    baseline: `${median(pairs.map(({ baseline }) => baseline)).toFixed(2)} ms (${small.calls})`,
    values: pairs.map(({ ours, baseline }) => ours / baseline),
    target: { atMost: 2 },
  }
}

function pathsOf(account: Account, kind: Kind): string[] {
  return Array.from({ length: searches }, (_, index) => {
    const where = conditions[kind]((index + 0.5) / searches, account)
    return `${api}/calls?page=1&filter=${encodeURIComponent(JSON.stringify({ where }))}`
  })
}

/** The page must be full, and the total exact but for two calls at the ends of a range. */
async function expectTotals({ url }: Service, accounts: Account[], kind: Kind) {
  const share = {
    newest: 1,
    'a date range': rangeDays / days,
    'one extension': 1 / extensions,
    'a rare metadata value': 0,
    'a common metadata value': 1 / campaigns,
  }
  for (const account of accounts) {
    const [path = ''] = pathsOf(account, kind)
    const response = await fetch(`${url}${path}`, { headers: { authorization: account.token } })
    const { data, meta } = (await response.json()) as { data: unknown[]; meta: { totalItemCount: number } }
    const expected = Math.max(1, account.calls * share[kind])
    if (data.length === Math.min(100, meta.totalItemCount) && Math.abs(meta.totalItemCount - expected) <= 2)
      continue
    throw new Error(
      `${kind} in the ${account.name} account answered ${data.length} of ${meta.totalItemCount}`,
    )
  }
}
