/** Ramal as an operator runs it: in its own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { basePath } from '../../../src/http/entry.ts'
import { createClient, fetchAsOperator } from '../service/client.ts'

/** The release that is tested (D450), or the sources. */
const root = process.env.RELEASE_UNDER_TEST ?? fileURLToPath(new URL('../../..', import.meta.url))

export function makeDataDir() {
  const path = mkdtempSync(join(tmpdir(), 'ramal-process-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

type Env = Record<string, string>

type Where = {
  /** Folder of the program, if it is another version than this one. */
  folder?: string | undefined
  /** A command that runs the program, in a network namespace for example. */
  within?: string[]
  program?: string
  /** The Node that runs it, if not the one of the tests. */
  node?: string
}

export function launch(
  args: string[],
  env: Env,
  { folder = root, within = [], program = 'bin/ramal.js', node = process.execPath }: Where = {},
): ChildProcess & { text: () => string } {
  const [command = '', ...words] = [...within, node, program, ...args]
  const child = spawn(command, words, {
    cwd: folder,
    // Tests may be run by root, and processes of a fleet are reached from other network namespaces.
    env: { PATH: process.env.PATH ?? '', CONSOLE: 'off', RUN_AS_ROOT: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  return Object.assign(child, { text: () => text })
}

/** Runs a command of `ramal` until it exits. */
export async function runRamal(
  args: string[],
  env: Env,
  where: Where = {},
): Promise<{ code: number; text: string }> {
  const child = launch(args, env, where)
  const [code] = await once(child, 'close')
  return { code, text: child.text() }
}

/** The same, with standard output and standard error apart. */
export async function runRamalApart(args: string[], env: Env) {
  const child = launch(args, env)
  let errors = ''
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output, errors }
}

export async function startRamal(env: Env, where: Where = {}) {
  const settings = {
    PORT: '0',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...env,
  }
  const child = launch(['serve'], settings, where)
  const exited = once(child, 'exit')
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const url = /API\s+(http\S+)/.exec(child.text())?.[1]
      if (url && child.text().includes('Next:')) resolve(url.slice(0, -basePath.length))
    })
    child.once('exit', () => reject(new Error(`Ramal ended while starting:\n${child.text()}`)))
  })
  const url = await ready
  return {
    url,
    pid: child.pid ?? 0,
    api: createClient(`${url}${basePath}`),
    operator: createClient(url, fetchAsOperator(/[?]token=(\S+)/.exec(child.text())?.[1] ?? '')),
    text: child.text,
    async kill(signal: NodeJS.Signals = 'SIGKILL') {
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}
