/** The service as an operator runs it: in its own process, with settings in the environment. */
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/helpers/programs/free-port.ts'
import { type Place, startNode, stopChild } from './children.ts'

/** The release (D340), which `npm run bench` makes first and names; tests that use benchmarks run the sources. */
const root = process.env.RELEASE_UNDER_TEST ?? fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/ramal.js')
/** With room for a machine that has other work. */
const readyWithinMs = 180_000

export const api = '/api/v1'
export const password = 'correct horse battery'

type Options = {
  folder: string
  place?: Place
  env?: Record<string, string>
  /** Arguments of Node to run another program instead, with an IPC channel. */
  program?: string[]
}

/** Limits, metrics and log are on; the log is written to a file. */
export async function startService({ folder, place = 'anywhere', env = {}, ...other }: Options) {
  const port = await freePort()
  const log = openSync(join(folder, 'service.log'), 'a')
  const began = performance.now()
  const child = startNode({
    args: other.program ?? [program, 'serve'],
    place,
    stdio: ['ignore', log, 'inherit', ...(other.program ? ['ipc' as const] : [])],
    env: { ...settingsOf(folder), PORT: String(port), ...env },
  })
  closeSync(log)
  const url = `http://127.0.0.1:${port}`
  try {
    await untilReady(url, () => child.exitCode !== null)
  } catch (error) {
    await stopChild(child)
    throw error
  }
  return {
    folder,
    port,
    url,
    pid: child.pid ?? 0,
    child,
    readyAfterSeconds: (performance.now() - began) / 1000,
    stop: () => stopChild(child),
  }
}
export type Service = Awaited<ReturnType<typeof startService>>

/** Runs the work with its own service, in a temporary folder. */
export function withService<T>(place: Place, work: (service: Service) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const service = await startService({ folder, place })
    try {
      return await work(service)
    } finally {
      await service.stop()
    }
  })
}

/** Creates an active account in the database of the service that runs in the folder. */
export async function createAccount({ folder }: { folder: string }, name: string) {
  const email = `admin@${name}.example`
  const child = startNode({
    args: [
      program,
      'account',
      'create',
      '--domain',
      `${name}.ramal.localhost`,
      '--email',
      email,
      '--password',
      password,
    ],
    place: 'anywhere',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: settingsOf(folder),
  })
  const said = child.stdout ? await text(child.stdout) : ''
  const token = /^Token\s+(\S+)$/m.exec(said)?.[1]
  if (token === undefined) throw new Error(`account create printed no token:\n${said}`)
  return { email, token }
}

/** An account is limited as a whole (D471): load of one machine comes from as many as its own limits allow. */
export async function createAccounts(at: { folder: string }, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, number) => `padaria-${number + 1}`)
  const tokens: string[] = []
  while (names.length > 0) {
    const created = await Promise.all(names.splice(0, 4).map((name) => createAccount(at, name)))
    tokens.push(...created.map(({ token }) => token))
  }
  return tokens
}

/** Runs the work with a temporary folder. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const dataDirOf = (folder: string) => join(folder, 'data')

/** Every relevant setting: the environment of the benchmark must not change what is measured. */
function settingsOf(folder: string): Record<string, string> {
  return {
    DATA_DIR: dataDirOf(folder),
    HOST: '127.0.0.1',
    // The generator can act as many clients, each below the rate limits.
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMITS: 'on',
    // One account makes the load of many.
    CALLS_PER_EXTENSION: '10000',
    CALLS_PER_ACCOUNT: '10000',
    RTP_PORTS: '20000-59999',
    CALLS_PER_DAY: '100000000',
    SPENDING_PER_DAY: '100000000.00',
    NEW_CALLS_PER_DAY: '100000000',
    NEW_SPENDING_PER_DAY: '100000000.00',
    TRIAL_PROOF: 'email',
    PAYMENT_GATEWAY: 'sandbox',
    LOG_LEVEL: 'info',
    // No account runs out of credit during a benchmark.
    TRIAL_CREDIT: '10000000.00',
    // Any free port, and no carrier but the sandbox.
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    SIP_HOST: '127.0.0.1',
    TRUNKS: '',
    SIP_TLS_PORT: '',
    DATABASE_URL: '',
    DATABASE_POOL: '',
    REDIS_URL: '',
    SECRET_KEY: '',
    SMTP_URL: '',
    PUBLIC_URL: '',
  }
}

async function untilReady(url: string, isDead: () => boolean) {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    const status = await fetch(`${url}/ready`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (isDead() || performance.now() > deadline) throw new Error(`${url} did not become ready`)
    await sleep(10)
  }
}
