import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bugs, plant } from './planted/plant.ts'
import { simulate } from './shards/simulate-process.ts'

const program = fileURLToPath(new URL('simulate.ts', import.meta.url))

/** Enough for some faults; how it settles is not looked at. */
const small = [
  ['--accounts', '2'],
  ['--extensions', '2'],
  ['--calls', '40'],
  ['--fault-every', '1'],
  ['--settle', '2'],
].flat()

test('D552, D554: a seed gives the same history again', async () => {
  const seeded = [...small, '--seed', '20261117']
  const [first, second] = await Promise.all([simulate(program, seeded), simulate(program, seeded)])
  expect(second.hash).toBe(first.hash)
}, 900_000)

test('D558: a run that is split has the calls of all its shards', async () => {
  const split = [...small, '--calls', '20', '--shard-calls', '10', '--seed', '20261118']
  const { calls, statements } = await simulate(program, split)
  expect(calls).toBeGreaterThanOrEqual(20)
  expect(statements).toBeGreaterThan(0)
}, 900_000)

/** Each is seen by a check of its own, without any fault. */
const planted = {
  'reservation-kept': 'reservations',
  'sequence-repeated': 'recordings',
}

test('D553: bugs that are planted into a copy of the service are found, each by its check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-planted-'))
  const calm = ['--accounts', '2', '--extensions', '3', '--calls', '20', '--fault-every', '0', '--seed', '5']
  const checksOf = async (folderProgram: string) =>
    new Set((await simulate(folderProgram, calm)).found.map(({ check }) => check))
  try {
    plant(
      bugs.filter(({ name }) => name in planted),
      folder,
    )
    expect([...(await checksOf(program))]).toEqual([])
    const found = await checksOf(join(folder, 'proof/simulate.ts'))
    expect([...found]).toEqual(expect.arrayContaining(Object.values(planted)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 900_000)
