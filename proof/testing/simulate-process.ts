/** Runs the simulator in a process of its own: it puts its own time in place of Node's. */
import { spawn } from 'node:child_process'

export type Outcome = {
  hash: string
  calls: number
  replay: string
  found: { check: string; text: string }[]
}

export async function simulate(program: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, ['--no-warnings', program, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  const line = output.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`the simulator failed: ${errors}`)
  return JSON.parse(line)
}
