/** A program at the other end: what it said is kept, and it never outlives the tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const running = new Set<ChildProcess>()
const maxKept = 200_000

process.on('exit', killAll)
// The test runner ends its processes like this, without an exit event.
process.once('SIGTERM', () => {
  killAll()
  process.kill(process.pid, 'SIGTERM')
})

function killAll() {
  for (const child of running) child.kill('SIGKILL')
}

export function startProgram(command: string, args: string[], folder: string, takesOrders = false) {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: [takesOrders ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  // It may end before it has read everything.
  child.stdin?.on('error', () => {})
  const exited: Promise<number> = once(child, 'exit').then(([code]) => code ?? -1)
  let said = ''
  running.add(child)
  child.once('exit', () => running.delete(child))
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said = (said + chunk).slice(-maxKept)
    })
  }

  /** Politely, then not. */
  async function stop(ask: () => void = () => child.kill()) {
    if (running.has(child)) ask()
    const late = setTimeout(() => child.kill('SIGKILL'), 5000)
    await exited
    clearTimeout(late)
  }

  /** A connection to a port of its own, as soon as it listens there. */
  async function connect(port: number): Promise<Socket> {
    for (let tries = 0; tries < 600 && running.has(child); tries += 1) {
      const socket = dial(port, '127.0.0.1')
      const open = await once(socket, 'connect').catch(() => undefined)
      if (open) return socket.on('error', () => socket.destroy())
      await pause(25)
    }
    throw new Error(`${command} does not start: ${said}`)
  }

  return {
    connect,
    pid: child.pid ?? 0,
    exited,
    stop,
    said: () => said,
    /** To its standard input, if it takes orders there. */
    write: (text: string) => void child.stdin?.write(text),
    isRunning: () => running.has(child),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
  }
}
