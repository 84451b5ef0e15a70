/** Several processes with every role and the fake engine, on one PostgreSQL of their own, each with registered phones. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createLog } from '../../../src/kit/process/log.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { askChild } from '../ask.ts'
import { likeTheService } from '../children.ts'
import { addExtensions } from '../full-service/full-service.ts'
import type { ServiceWork } from '../full-service/service-process.ts'
import { inFolder, startService } from '../service.ts'

const program = fileURLToPath(new URL('../full-service/service-process.ts', import.meta.url))
const firstNumber = 1010

type Options = { nodes: number; phonesPerNode: number }

export async function withFleet<T>(
  { nodes, phonesPerNode }: Options,
  work: (fleet: Awaited<ReturnType<typeof startFleet>>) => Promise<T>,
): Promise<T> {
  return await inFolder(async (folder) => {
    const dataDir = join(folder, 'database')
    const store = await openStore({ databaseUrl: undefined, databasePool: 2, dataDir }, createLog('silent'))
    const { connection } = store
    if ('connectionString' in connection) throw new Error('the database of a benchmark is embedded')
    const { host, port, user, database } = connection
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
    const started: { stop(): Promise<void> }[] = []
    try {
      const query = async (text: string) => (await store.pool.query(text)).rows as Record<string, unknown>[]
      return await work(await startFleet({ folder, url, nodes, phonesPerNode, query, started }))
    } finally {
      for (const member of started) await member.stop()
      await store.close()
    }
  })
}

type FleetDeps = Options & {
  folder: string
  url: string
  query: (text: string) => Promise<Record<string, unknown>[]>
  /** Every process that was started, also if the next one fails. */
  started: { stop(): Promise<void> }[]
}

async function startFleet({ folder, url, nodes, phonesPerNode, query, started }: FleetDeps) {
  const secretKey = randomBytes(32).toString('hex')

  async function startMember(name: string) {
    const own = join(folder, name)
    await mkdir(own)
    const service = await startService({
      folder: own,
      program: [...likeTheService.flags, program, 'fake'],
      env: {
        ...likeTheService.env,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        DATABASE_URL: url,
        SECRET_KEY: secretKey,
      },
    })
    started.push(service)
    return { ...service, ask: askChild<ServiceWork>(service.child) }
  }

  const first = await startMember('node-1')
  const { domain, admin: token } = await first.ask('openAccount')
  // Before the other nodes start: they are notified of new extensions, whose phones must then register again.
  await addExtensions({ ...first, token }, firstNumber, nodes * phonesPerNode, false)
  const services = [first]
  for (let index = 2; index <= nodes; index += 1) services.push(await startMember(`node-${index}`))
  const members = services.map((service, node) => ({
    url: service.url,
    port: service.port,
    ask: service.ask,
    /** Extensions whose phones are registered there. */
    numbers: Array.from(
      { length: phonesPerNode },
      (_, index) => `${firstNumber + node * phonesPerNode + index}`,
    ),
    async register(numbers: string[]) {
      await service.ask(
        'register',
        numbers.map((number) => ({ domain, number })),
      )
    },
    async kill() {
      const gone = once(service.child, 'exit')
      service.child.kill('SIGKILL')
      await gone
    },
  }))
  for (const member of members) await member.register(member.numbers)
  await untilRegistered(query, nodes * phonesPerNode)
  return { members, token, query }
}
export type FleetMember = Awaited<ReturnType<typeof startFleet>>['members'][number]

async function untilRegistered(query: FleetDeps['query'], count: number) {
  while (Number((await query('select count(*) from registrations'))[0]?.count) < count) await sleep(20)
}
