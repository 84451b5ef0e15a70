/** Runs of the simulator in processes of their own: it puts its own time in place of Node's. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

type Outcome = { hash: string; calls: number; replay: string; found: { check: string; text: string }[] }

const program = fileURLToPath(new URL('simulate.ts', import.meta.url))

async function simulate(...args: string[]): Promise<Outcome> {
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

/** Enough for some faults; how it settles is not looked at. */
const small = [
  ['--accounts', '2'],
  ['--extensions', '2'],
  ['--calls', '25'],
  ['--rate', '3'],
  ['--fault-every', '1'],
  ['--settle', '2'],
].flat()

test('D552, D554: a seed gives the same history again', async () => {
  const seed = ['--seed', '20261117']
  const first = await simulate(...small, ...seed)
  const second = await simulate(...small, ...seed)
  expect(second.hash).toBe(first.hash)
}, 900_000)

test('D555: a run with a fresh seed has no violations', async () => {
  const limits = ['--calls', '150', '--seconds', '30']
  const { calls, replay, found } = await simulate(...limits)
  expect(
    found.map(({ check, text }) => `${check}: ${text}`),
    replay,
  ).toEqual([])
  expect(calls).toBeGreaterThan(0)
}, 900_000)
