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
  let voiceNode: Member | undefined
  let ahead = 0
  let started = 0
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
      if (voiceNode?.name === name) voiceNode = undefined
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

  /** The process at which calls are placed. When it dies, a process that only delivered webhooks so far replaces it. */
  async function findVoiceNode(): Promise<Member> {
    while (!voiceNode) {
      const [next] = members.values()
      if (next && extension) {
        await next.ask('registerPhone', extension).catch(() => {})
        if (members.has(next.name)) voiceNode ??= next
      } else {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
    return voiceNode
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
    findVoiceNode,
    unexpectedExits,
    names: () => [...members.keys()],
    voiceNodeName: () => voiceNode?.name,
    first: () => [...members.values()][0],
    /** Sets the extension that places the calls. */
    placeCallsFrom(given: ExtensionName) {
      extension = given
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
