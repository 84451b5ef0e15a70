/** Capacity of registrations: phones of one account at the whole service, which all register again within a minute. */
import { freeNeighbours } from '../../../test/sip/peers/ports.ts'
import { copyExtension } from '../full-service/copy-extension.ts'
import { accountDomain, addExtensions, phonePassword, withFullService } from '../full-service/full-service.ts'
import { withSipEndpoints } from '../sip-endpoints/sip-endpoints.ts'
import { measureCores } from './cores.ts'
import { type Capacity, type Reading, raise } from './ramp.ts'

const first = 100_000
const highest = 80_000
const minute = 60
const seconds = 5

export function registrationCapacity(): Promise<Capacity[]> {
  return withSipEndpoints('without RTP', async (endpoints) => {
    const port = await freeNeighbours(2)
    return await withFullService({ engine: 'real', env: { SIP_PORT: `${port}` } }, async (service) => {
      await addExtensions(service, first, 1, false)
      await copyExtension(service.folder, first, highest)
      const phones = { port, domain: accountDomain, password: phonePassword, concurrency: 64 }
      let registered = 0

      async function registerAll(count: number): Promise<Reading> {
        if (count > registered) {
          await endpoints.ask('register', { ...phones, first: first + registered, count: count - registered })
          registered = count
        }
        const { result, ...used } = await measureCores({ service: service.pid, load: endpoints.pid }, () =>
          endpoints.ask('register', { ...phones, first, count, seconds }),
        )
        return { ...used, latencies: result.latencies, broken: tooFew(result.done / result.seconds, count) }
      }

      return [
        await raise({
          name: 'registered phones, all registering again within a minute',
          unit: '',
          first: highest / 8,
          highest,
          enoughMs: 240_000,
          run: registerAll,
        }),
      ]
    })
  })
}

function tooFew(perSecond: number, count: number): string | undefined {
  const needed = count / minute
  return perSecond < needed
    ? `only ${perSecond.toFixed(0)} of ${needed.toFixed(0)} register in a second`
    : undefined
}
