/** Processes of one service on one database, which die at any moment and are replaced. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExtensionName } from '../../../src/engine/port.ts'
import { type Ask, askChild } from '../ask.ts'
import type { HouseWork } from './service-process.ts'

const program = fileURLToPath(new URL('./service-process.ts', import.meta.url))

/** `name` is what its connections to the database bear. */
export type Member = { name: string; child: ChildProcess; url: string; ask: Ask<HouseWork> }

type Options = { databaseUrl: string; folder: string; size: number; secretKey: string }

export function createFleet({ databaseUrl, folder, size, secretKey }: Options) {
  const members = new Map<string, Member>()
  const starting = new Set<Promise<void>>()
  /** Ended, though nobody killed them; this must not happen. */
  const accidents: string[] = []
  const killed = new Set<string>()
  let carrier: Member | undefined
  let ahead = 0
  let born = 0
  let closed = false
  let extension: ExtensionName | undefined

  function launch(name: string): ChildProcess {
    const url = new URL(databaseUrl)
    url.searchParams.set('application_name', name)
    const child = spawn(process.execPath, ['--max-semi-space-size=4', program], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
        DATABASE_URL: url.href,
        DATABASE_POOL: '6',
        DATA_DIR: folder,
        SECRET_KEY: secretKey,
        PORT: '0',
        SIP_PORT: '0',
        SIP_WS_PORT: '0',
        RATE_LIMITS: 'off',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        TRIAL_CREDIT: '1000000.00',
        CLOCK_AHEAD_SECONDS: String(ahead),
      },
    })
    let said = ''
    child.stderr?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000)
    })
    child.once('exit', (code, signal) => {
      members.delete(name)
      if (carrier?.name === name) carrier = undefined
      if (!killed.has(name)) accidents.push(`${name} ended by itself (${code ?? signal}): ${said}`)
    })
    return child
  }

  async function start() {
    const name = `house-${++born}`
    const child = launch(name)
    const ready = await Promise.race([
      once(child, 'message').then(() => true),
      once(child, 'exit').then(() => false),
    ])
    if (!ready) return
    const ask = askChild<HouseWork>(child)
    members.set(name, { name, child, url: await ask('url'), ask })
  }

  /** Brings the fleet to its size, in the background. */
  function fill() {
    while (!closed && members.size + starting.size < size) {
      const one: Promise<void> = start()
        .catch(() => {})
        .finally(() => starting.delete(one))
      starting.add(one)
    }
  }

  /** All are there. */
  async function full() {
    while (members.size < size) {
      if (accidents.length > 0) throw new Error(accidents[0])
      fill()
      await Promise.all(starting)
    }
  }

  async function kill(name: string): Promise<boolean> {
    const member = members.get(name)
    if (!member || killed.has(name)) return false
    killed.add(name)
    const gone = once(member.child, 'exit')
    member.child.kill('SIGKILL')
    await gone
    fill()
    return true
  }

  /** The one that calls are placed at; when it dies, one that only delivered until now takes its place. */
  async function findCarrier(): Promise<Member> {
    while (!carrier) {
      const [next] = members.values()
      if (next && extension) {
        await next.ask('carry', extension).catch(() => {})
        if (members.has(next.name)) carrier ??= next
      } else {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    return carrier
  }

  async function killAll() {
    closed = true
    await Promise.all(starting)
    await Promise.all([...members.keys()].map(kill))
    closed = false
  }

  return {
    full,
    kill,
    killAll,
    findCarrier,
    accidents,
    names: () => [...members.keys()],
    carrierName: () => carrier?.name,
    first: () => [...members.values()][0],
    /** Whose phone it is that calls are placed from. */
    use(given: ExtensionName) {
      extension = given
    },
    /** Everything dies; when it is back so much time has passed. */
    async blackout(seconds: number) {
      await killAll()
      ahead += seconds
      fill()
    },
    born: () => born,
    async close() {
      await killAll()
      closed = true
    },
  }
}
export type Fleet = ReturnType<typeof createFleet>
