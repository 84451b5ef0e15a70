/** Capacity of the API with its database: requests, placings, whole calls, and how they grow with accounts and calls. */
import { defined } from '../../../src/kit/defined.ts'
import { type FullService, withFullService } from '../full-service/full-service.ts'
import { addPhones, placeFromEach } from '../full-service/phones.ts'
import { type Generator, withGenerator } from '../http-load/generator.ts'
import { type RequestText, writeRequest } from '../http-load/job.ts'
import { api } from '../service.ts'
import { otherCalls, withSizedAccounts } from '../sized-accounts.ts'
import { measureCores } from './cores.ts'
import { type Capacity, type Reading, raise, tooSlow } from './ramp.ts'

const seconds = 3
const connections = 128
const maxMs = 50
/** Whole calls end at once: what is stored later than this after the last request is a backlog. */
const maxStoredMs = 500
const phonesOfAll = 100
const firstPhone = 1010
/** Inserted within a minute or two. */
const storedCalls = 1_000_000

type Script = 'rings only' | 'priced call'
type Account = { token: string; domain: string }

/** Each load has a new database: after one that was too high, PostgreSQL works for a while on what it left behind. */
export async function httpCapacity(): Promise<Capacity[]> {
  const ofCalls = (name: string, does: Script) =>
    withLoad(undefined, async (raiseRequests, service) => [
      await raiseRequests(name, { requests: await placeFromAll(service, [service]), does }),
    ])
  return [
    ...(await withLoad(undefined, async (raiseRequests, { token }) => {
      const requests = [writeRequest({ path: `${api}/users/me`, token })]
      return [await raiseRequests('API requests (GET /users/me)', { requests, first: 1_000 })]
    })),
    ...(await ofCalls('calls placed, phones ringing', 'rings only')),
    ...(await ofCalls('whole calls', 'priced call')),
  ]
}

/** Whole calls, of ten accounts and of a hundred. */
export function accountCapacity(): Promise<Capacity[]> {
  return withLoad(undefined, async (raiseRequests, service) => {
    const accounts: Account[] = [service]
    const capacities: Capacity[] = []
    for (const [round, count] of [10, 100].entries()) {
      while (accounts.length < count) accounts.push(await openAccount(service))
      const requests = await placeFromAll(service, accounts, firstPhone + round * phonesOfAll)
      capacities.push(
        await raiseRequests(`whole calls of ${count} accounts`, { requests, does: 'priced call' }),
      )
    }
    return capacities
  })
}

/** In a database with the calls of `call-lists`, if BENCH_FOLDER keeps them, or with fewer. */
export function storedCapacity(): Promise<Capacity[]> {
  return withSizedAccounts(async (folder, accounts) => {
    const stored = accounts.reduce((sum, { calls }) => sum + calls, otherCalls)
    return await withLoad(folder, async (raiseRequests, service) => {
      const requests = await placeFromAll(service, [service])
      const beside = `beside ${stored.toLocaleString('en')} stored`
      return [
        await raiseRequests(`calls placed, ${beside}`, { requests, does: 'rings only' }),
        await raiseRequests(`whole calls, ${beside}`, { requests, does: 'priced call' }),
      ]
    })
  }, storedCalls)
}

type RaiseRequests = (
  name: string,
  load: { requests: RequestText[]; first?: number; does?: Script },
) => Promise<Capacity>

function withLoad(
  folder: string | undefined,
  work: (raiseRequests: RaiseRequests, service: FullService) => Promise<Capacity[]>,
): Promise<Capacity[]> {
  return withFullService({ engine: 'fake', ...defined({ folder }) }, (service) =>
    withGenerator('anywhere', async (generator) => {
      const raiseRequests: RaiseRequests = async (name, { requests, first = 500, does }) => {
        if (does) await service.ask('behave', does)
        const run = async (level: number) => {
          const reading = await readingAt(generator, service, level, requests)
          const storedMs = await endCalls(service)
          const late = does === 'priced call' && storedMs > maxStoredMs
          const problem = late ? `the ends of calls were stored ${storedMs.toFixed(0)} ms late` : undefined
          return { ...reading, broken: reading.broken ?? problem }
        }
        // The first seconds warm up the service, and count for nothing.
        for (const level of [first / 4, first / 2]) await run(level)
        return await raise({ name, unit: '/s', first, highest: first * 32, run })
      }
      return await work(raiseRequests, service)
    }),
  )
}

async function readingAt(
  generator: Generator,
  service: FullService,
  perSecond: number,
  requests: RequestText[],
): Promise<Reading> {
  const job = { port: service.port, requests, connections, seconds, perAddress: 'one' as const, perSecond }
  const { result, ...used } = await measureCores({ service: service.pid, load: generator.pid }, () =>
    generator.run(job),
  )
  const refused = Object.keys(result.statuses).filter((status) => status !== '200')
  const { p50, p99, p999 } = result
  return {
    ...used,
    latencies: { p50, p99, p999 },
    broken: refused.length > 0 ? `answers ${refused.join(', ')}` : tooSlow(result, maxMs),
  }
}

/** Milliseconds until all calls have ended, and are stored. */
async function endCalls(service: FullService): Promise<number> {
  const began = performance.now()
  await service.ask('endAll')
  return performance.now() - began
}

async function openAccount(service: FullService): Promise<Account> {
  const { admin, domain } = await service.ask('openAccount')
  return { token: admin, domain }
}

/** Requests that place calls from new phones, the same number of each account. */
async function placeFromAll(
  service: FullService,
  accounts: Account[],
  first = firstPhone,
): Promise<RequestText[]> {
  const phones = { first, count: Math.max(1, Math.floor(phonesOfAll / accounts.length)) }
  const requests: RequestText[] = []
  for (const { token, domain } of accounts) {
    await addPhones({ ...service, token, domain }, phones)
    requests.push(...placeFromEach(phones, token))
  }
  return requests
}
