/** Several processes of the service on one database; a process that is killed is replaced. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExtensionName } from '../../../src/engine/port.ts'
import { type Ask, askChild } from '../ask.ts'
import type { ServiceWork } from './service-process.ts'

const program = fileURLToPath(new URL('./service-process.ts', import.meta.url))

/** `name` is the `application_name` of its database connections. */
export type Member = { name: string; child: ChildProcess; url: string; ask: Ask<ServiceWork> }

type Options = { databaseUrl: string; folder: string; size: number; secretKey: string }

export function createFleet({ databaseUrl, folder, size, secretKey }: Options) {
  const members = new Map<string, Member>()
  const starting = new Set<Promise<void>>()
  /** Processes that ended without being killed by us, which is a failure. */
  const unexpectedExits: string[] = []
  const killed = new Set<string>()
  /** The process at which each phone is registered, by the number of its extension. */
  const homes = new Map<string, Member>()
  let ahead = 0
  let started = 0
  let closed = false
  let extensions: ExtensionName[] = []
  /** One after the other, so that phones are spread over the processes. */
  let registering = Promise.resolve()

  function launch(name: string): ChildProcess {
    const url = `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}application_name=${name}`
    const child = spawn(process.execPath, ['--max-semi-space-size=8', program], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
        DATABASE_URL: url,
        DATABASE_POOL: '6',
        DATA_DIR: folder,
        SECRET_KEY: secretKey,
        PORT: '0',
        SIP_PORT: '0',
        SIP_WS_PORT: '0',
        RATE_LIMITS: 'off',
        CALLS_PER_EXTENSION: '10000',
        CALLS_PER_ACCOUNT: '10000',
        CALLS_PER_DAY: '1000000',
        SPENDING_PER_DAY: '1000000.00',
        RTP_PORTS: '10000-65535',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        TRIAL_CREDIT: '1000000.00',
        CLOCK_AHEAD_SECONDS: String(ahead),
      },
    })
    let stderrTail = ''
    child.stderr?.on('data', (text) => {
      stderrTail = `${stderrTail}${text}`.slice(-4_000)
    })
    child.once('exit', (code, signal) => {
      members.delete(name)
      for (const [number, home] of homes) if (home.name === name) homes.delete(number)
      if (!killed.has(name))
        unexpectedExits.push(`${name} ended by itself (${code ?? signal}): ${stderrTail}`)
    })
    return child
  }

  async function start() {
    const name = `service-${++started}`
    const child = launch(name)
    const ready = await Promise.race([
      once(child, 'message').then(() => true),
      once(child, 'exit').then(() => false),
    ])
    if (!ready) return
    const ask = askChild<ServiceWork>(child)
    members.set(name, { name, child, url: await ask('url'), ask })
  }

  /** Starts missing processes, in the background. */
  function fill() {
    while (!closed && members.size + starting.size < size) {
      const one: Promise<void> = start()
        .catch(() => {})
        .finally(() => starting.delete(one))
      starting.add(one)
    }
  }

  /** Waits until all processes run. */
  async function untilFull() {
    while (members.size < size) {
      if (unexpectedExits.length > 0) throw new Error(unexpectedExits[0])
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

  /**
   * The process at which the phone is registered. When it dies, the phone registers at the process with the fewest phones:
   * with one phone, a process that only delivered webhooks so far.
   */
  async function findHome(extension: ExtensionName): Promise<Member> {
    for (;;) {
      const home = homes.get(extension.number)
      if (home) return home
      registering = registering.then(() => register(extension))
      await registering
    }
  }

  async function register(extension: ExtensionName) {
    if (homes.has(extension.number)) return
    const phonesAt = (member: Member) => [...homes.values()].filter((home) => home === member).length
    const [next] = [...members.values()].toSorted((one, other) => phonesAt(one) - phonesAt(other))
    if (!next) return await new Promise<void>((resolve) => setTimeout(resolve, 10))
    await next.ask('registerPhone', extension).catch(() => {})
    if (members.has(next.name)) homes.set(extension.number, next)
  }

  async function killAll() {
    closed = true
    await Promise.all(starting)
    await Promise.all([...members.keys()].map(kill))
    closed = false
  }

  return {
    untilFull,
    kill,
    killAll,
    findHome,
    unexpectedExits,
    names: () => [...members.keys()],
    members: () => [...members.values()],
    first: () => [...members.values()][0],
    isServed: () => extensions.every(({ number }) => homes.has(number)),
    extensions: () => extensions,
    /** Sets the extensions that place the calls. */
    placeCallsFrom(given: ExtensionName[]) {
      extensions = given
    },
    /** Kills all processes; the clocks of their replacements are `seconds` further ahead. */
    async blackout(seconds: number) {
      await killAll()
      ahead += seconds
      fill()
    },
    started: () => started,
    async close() {
      await killAll()
      closed = true
    },
  }
}
export type Fleet = ReturnType<typeof createFleet>
