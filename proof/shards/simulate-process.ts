/** Runs the simulator in a process of its own: it puts its own time in place of Node's. */
import { spawn } from 'node:child_process'

export type Found = { check: string; text: string }

export type Outcome = {
  hash: string
  calls: number
  rang: number
  talked: number
  simulatedSeconds: number
  statements: number
  events: number
  faults: Record<string, number>
  replay: string
  found: Found[]
}

/** A run may never come to its end, by a bug of the service or of the simulator; beside other work a large shard takes an hour. */
const timeoutMs = 4 * 3_600_000

/** `scratch`: where the run keeps its files, if they are removed by the caller. */
export async function simulate(program: string, args: readonly string[], scratch?: string): Promise<Outcome> {
  const child = spawn(process.execPath, ['--no-warnings', program, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    env: { ...process.env, ...(scratch !== undefined && { TMPDIR: scratch }) },
  })
  const stop = () => child.kill()
  process.once('exit', stop)
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  process.off('exit', stop)
  const line = output.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`the simulator failed: ${errors.slice(-1_000)}`)
  return JSON.parse(line)
}
