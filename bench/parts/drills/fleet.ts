/** A fleet for drills: two API processes, a worker and three voice nodes, whose machines can be cut off and whose clocks differ. */
import { randomInt } from 'node:crypto'
import { createNetwork } from '../../../test/fleet/network.ts'
import { openFleetOffice } from '../../../test/fleet/office.ts'
import { freePort } from '../../../test/helpers/programs/free-port.ts'
import { startRedis } from '../../../test/helpers/programs/redis.ts'
import { startTcpProxy } from '../../../test/helpers/programs/tcp-proxy.ts'

/** NODE_OPTIONS is split at spaces: an address has none. */
const clockAhead = new URL('../../../test/fleet/clock-ahead.ts', import.meta.url).href
const extensions = ['1000', '1001', '1002']

const ahead = (seconds: number) => ({
  NODE_OPTIONS: `--import ${clockAhead}`,
  CLOCK_AHEAD_SECONDS: String(seconds),
})

export async function startDrillFleet(databaseUrl: string) {
  const closing: (() => unknown)[] = []
  async function close() {
    for (const one of closing.splice(0).toReversed()) await one()
  }
  try {
    const network = createNetwork()
    closing.push(network.remove)
    const proxy = await startTcpProxy(databaseUrl, network.dataAddress)
    closing.push(proxy.close)
    const redis = await startRedis(await freePort())
    closing.push(redis.stop)
    const office = await openFleetOffice(databaseUrl, { TRIAL_CREDIT: '1000.00' })
    closing.push(office.close)
    const first = await office.start('api')
    await office.open(first, extensions)
    const startNode = async (name: string, settings: Record<string, string> = {}) => {
      const machine = network.addMachine()
      const start = () =>
        office.startVoice(name, '20000-20099', {
          where: { within: machine.within },
          settings: {
            HOST: machine.address,
            SIP_HOST: machine.address,
            SIP_PORT: '5060',
            PORT: '3000',
            DATABASE_URL: proxy.url,
            ...settings,
          },
        })
      let running = await start()
      return {
        address: running.address,
        port: running.port,
        machine,
        suspend: () => running.suspend(),
        resume: () => running.resume(),
        kill: () => running.stop('SIGKILL'),
        async startAgain() {
          running = await start()
        },
      }
    }
    const [second, limited, worker, ...nodes] = await Promise.all([
      office.start('api', ahead(-60)),
      office.start('api', { RATE_LIMITS: 'on', REDIS_URL: redis.url }),
      office.start('worker', ahead(60)),
      startNode('a'),
      startNode('b', ahead(-60)),
      startNode('c', ahead(60)),
    ])
    const apis = [first, second]
    const phones = await Promise.all(
      nodes.map(async (node, index) => ({
        extension: extensions[index] ?? '',
        ...(await office.startPhone(extensions[index] ?? '', node)),
      })),
    )
    return {
      office,
      apis,
      /** An API process with rate limits; the others have none. */
      limited,
      anyApi: () => apis[randomInt(apis.length)] ?? first,
      worker,
      nodes,
      phones,
      redis,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
export type DrillFleet = Awaited<ReturnType<typeof startDrillFleet>>
