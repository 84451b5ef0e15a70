/** Capacity of registrations: phones of one account at the whole service, which all register again within a minute. */
import { freeNeighbours } from '../../../test/sip/peers/ports.ts'
import { copyExtension } from '../full-service/copy-extension.ts'
import {
  accountDomain,
  addExtensions,
  type FullService,
  phonePassword,
  withFullService,
} from '../full-service/full-service.ts'
import { type SipEndpoints, withSipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import { type Capacity, measureCores, type Reading, raise } from './ramp.ts'

const first = 100_000
const highest = 80_000
const minute = 60
const seconds = 10

export function registrationCapacity(): Promise<Capacity[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    const port = await freeNeighbours(2)
    return await withFullService({ engine: 'real', env: { SIP_PORT: `${port}` } }, async (service) => {
      await addExtensions(service, first, 1, false)
      await copyExtension(service.folder, first, highest)
      return [
        await raise({
          name: 'registered phones, all registering again within a minute',
          unit: '',
          first: highest / 8,
          highest,
          run: (count) => registerAll({ endpoints, service, port }, count),
        }),
      ]
    })
  })
}

type Sides = { endpoints: SipEndpoints; service: FullService; port: number }

async function registerAll({ endpoints, service, port }: Sides, count: number): Promise<Reading> {
  const job = { port, domain: accountDomain, password: phonePassword, first, count, concurrency: 64 }
  const { result, ...used } = await measureCores({ service: service.pid, load: endpoints.pid }, async () => {
    await endpoints.ask('register', job)
    return await endpoints.ask('register', { ...job, seconds })
  })
  const rate = result.done / result.seconds
  const broken =
    rate < count / minute
      ? `only ${rate.toFixed(0)} of ${(count / minute).toFixed(0)} register in a second`
      : undefined
  return { ...used, latencies: result.latencies, broken }
}
