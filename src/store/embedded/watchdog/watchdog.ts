/**
 * D171: a process that is killed leaves no PostgreSQL running. A shell waits for the end of a pipe that only this
 * process holds: the kernel closes it, in whatever way we end. Then it becomes the program that stops the server.
 * (A shell: it waits in 1 MB, where another Node would take 40.)
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Watchdog = { dismiss(): void }

const program = fileURLToPath(new URL('./stop-orphan.ts', import.meta.url))

/** A process that is restarted at once adopts the server: it gets a second to take the lock. */
const script = 'read -r _ || { sleep 1; exec "$@"; }'

/** One that ended sooner is not replaced: it would end again. */
const minLifeMs = 1_000

export function startWatchdog(home: string): Watchdog {
  let child: ChildProcess | undefined
  let dismissed = false

  function run() {
    const began = performance.now()
    const command = [process.execPath, program, home, String(process.pid)]
    // In a session of its own: what Ctrl-C or a closed terminal sends does not reach it.
    const started = spawn('sh', ['-c', script, 'sh', ...command], {
      cwd: '/',
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    started.on('error', () => {})
    started.stdin.on('error', () => {})
    started.once('exit', () => {
      if (!dismissed && performance.now() - began > minLifeMs) run()
    })
    started.unref()
    if ('unref' in started.stdin && typeof started.stdin.unref === 'function') started.stdin.unref()
    child = started
  }

  run()
  return {
    dismiss() {
      dismissed = true
      child?.stdin?.end('done\n')
    },
  }
}
