import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bugs, plant } from './planted/plant.ts'
import { simulate } from './testing/simulate-process.ts'

const program = fileURLToPath(new URL('simulate.ts', import.meta.url))

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
  const seeded = [...small, '--seed', '20261117']
  const first = await simulate(program, seeded)
  const second = await simulate(program, seeded)
  expect(second.hash).toBe(first.hash)
}, 900_000)

/** Others: `npm run simulate -- --calls 100 --seed 396065913`, and those of docs/proof.md. */
const tried = '676544074'

test(`D555: the run with seed ${tried} has no violations`, async () => {
  const { calls, replay, found } = await simulate(program, ['--calls', '100', '--seed', tried])
  expect(
    found.map(({ check, text }) => `${check}: ${text}`),
    replay,
  ).toEqual([])
  expect(calls).toBeGreaterThan(0)
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
