/** The service as an operator runs it, in a process of its own, on a folder that is gone afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/ramal.js', import.meta.url))
const killAfterMs = 15_000

/** What a program needs to run at all; settings of whoever runs the demo must not change it. */
const inherited = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR', 'SystemRoot']

function environment(dataDir: string): Record<string, string> {
  const env = { DATA_DIR: dataDir, PORT: '0', SIP_PORT: '0', SIP_WS_PORT: '0', LOG_LEVEL: 'warn' }
  const kept = inherited.map((name) => [name, process.env[name]] as const)
  return {
    ...Object.fromEntries(kept.filter((pair): pair is [string, string] => pair[1] !== undefined)),
    ...env,
  }
}

export async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-demo-'))
  // A group of its own: a Ctrl-C at the terminal is ours to pass on, once.
  const child = spawn(process.execPath, [program, 'serve'], {
    env: environment(join(folder, 'data')),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const gone = once(child, 'close')
  let said = ''
  const ready = Promise.withResolvers<{ api: string; mailbox: string; sip: string }>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = readAddresses(said)
      if (found) ready.resolve(found)
    })
  }
  void gone.then(() => ready.reject(new Error(`the service ended: ${said.trim()}`)))
  ready.promise.catch(() => {})

  return {
    ready: ready.promise,
    /** What it had to complain of. */
    complaints: () => said.split('\n').filter((line) => line.startsWith('{')),
    async stop(): Promise<number | null> {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      await gone
      clearTimeout(late)
      await rm(folder, { recursive: true, force: true })
      return child.exitCode
    },
  }
}
export type DemoService = Awaited<ReturnType<typeof startService>>

/** As it prints them once all is there. */
function readAddresses(said: string) {
  const find = (name: string) => new RegExp(`^ {2}${name} +(\\S+)$`, 'm').exec(said)?.[1]
  const [api, mailbox, sip] = [find('API'), find('Mailbox'), find('SIP')]
  return api && mailbox && sip && said.includes('Next:') ? { api, mailbox, sip } : undefined
}
