/** Capacity of the API: requests, placings, whole calls, and whole calls of many accounts. */
import { accountDomain, type FullService, withFullService } from '../full-service/full-service.ts'
import { addPhones, placeFromEach } from '../full-service/phones.ts'
import { type Generator, withGenerator } from '../http-load/generator.ts'
import { type RequestText, writeRequest } from '../http-load/job.ts'
import { api } from '../service.ts'
import { type Capacity, measureCores, type Reading, raise, tooSlow } from './ramp.ts'

const seconds = 4
const connections = 128
const maxMs = 50
const phonesOfAll = 100
/** Of the next phone: each is added once. */
let nextNumber = 1010

export function httpCapacity(): Promise<Capacity[]> {
  return withFullService({ engine: 'fake' }, (service) =>
    withGenerator('anywhere', async (generator) => {
      const me = [writeRequest({ path: `${api}/users/me`, token: service.token })]
      const accounts = [{ token: service.token, domain: accountDomain }]
      const requests = await placeFromAll(service, accounts)
      const run = (level: number, sent: RequestText[]) => readingAt(generator, service, level, sent)
      const capacities: Capacity[] = [
        await raise({
          name: 'API requests (GET /users/me)',
          unit: '/s',
          first: 1_000,
          highest: 64_000,
          run: (level) => run(level, me),
        }),
      ]
      await service.ask('behave', 'rings only')
      capacities.push(
        await raise({
          name: 'calls placed, ringing stored',
          unit: '/s',
          first: 250,
          highest: 16_000,
          run: (level) => run(level, requests),
        }),
      )
      await service.ask('behave', 'priced call')
      for (const count of [1, 10, 100]) {
        while (accounts.length < count) accounts.push(await openAccount(service))
        const spread = count === 1 ? requests : await placeFromAll(service, accounts)
        capacities.push(
          await raise({
            name: `whole calls of ${count} ${count === 1 ? 'account' : 'accounts'}`,
            unit: '/s',
            first: 250,
            highest: 16_000,
            run: (level) => run(level, spread),
          }),
        )
      }
      return capacities
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
  const { result, cores, rss } = await measureCores({ service: service.pid, load: generator.pid }, () =>
    generator.run(job),
  )
  await service.ask('endAll')
  const { statuses } = result
  const refused = Object.keys(statuses).filter((status) => status !== '200')
  return {
    latencies: result,
    cores,
    rss,
    broken: refused.length > 0 ? `answers ${refused.join(', ')}` : tooSlow(result, maxMs),
  }
}

async function openAccount(service: FullService) {
  const { admin, domain } = await service.ask('openAccount')
  return { token: admin, domain }
}

/** Requests that place calls from new phones of all the accounts. */
async function placeFromAll(service: FullService, accounts: { token: string; domain: string }[]) {
  const count = Math.max(1, Math.floor(phonesOfAll / accounts.length))
  const requests: RequestText[] = []
  for (const { token, domain } of accounts) {
    const phones = { first: nextNumber, count }
    nextNumber += count
    await addPhones({ ...service, token }, phones, domain)
    requests.push(...placeFromEach(phones, token))
  }
  return requests
}
