/** The service in a process of its own, with a temporary data folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/ramal.js', import.meta.url))
const killAfterMs = 15_000

/** All that is inherited, so that settings in the environment do not change the demo. */
const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'SystemRoot']

function environment(dataDir: string): Record<string, string> {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    CONSOLE: 'off',
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    LOG_LEVEL: 'warn',
    RAMAL_PARENT: String(process.pid),
  }
  const kept = inherited.map((name) => [name, process.env[name]] as const)
  return {
    ...Object.fromEntries(kept.filter((pair): pair is [string, string] => pair[1] !== undefined)),
    ...env,
  }
}

export async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-demo-'))
  // A process group of its own: Ctrl-C at the terminal reaches only the demo, which then stops the service.
  const child = spawn(process.execPath, [program, 'serve'], {
    env: environment(join(folder, 'data')),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const closed = once(child, 'close')
  let output = ''
  const ready = Promise.withResolvers<{ api: string; mailbox: string; sip: string }>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = readAddresses(output)
      if (found) ready.resolve(found)
    })
  }
  void closed.then(() => ready.reject(new Error(`the service ended: ${output.trim()}`)))
  ready.promise.catch(() => {})

  return {
    ready: ready.promise,
    /** Warnings and errors that it logged. */
    logLines: () => output.split('\n').filter((line) => line.startsWith('{')),
    async stop(): Promise<number | null> {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      await closed
      clearTimeout(late)
      await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
  }
}
export type DemoService = Awaited<ReturnType<typeof startService>>

/** The addresses that the service prints once it is ready. */
function readAddresses(output: string) {
  const find = (name: string) => new RegExp(`^ {2}${name} +(\\S+)$`, 'm').exec(output)?.[1]
  const [api, mailbox, sip] = [find('API'), find('Mailbox'), find('SIP')]
  return api && mailbox && sip && output.includes('Next:') ? { api, mailbox, sip } : undefined
}
