import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compareRuns, readRun, saveRun } from '../../bench/parts/saved-run.ts'
import type { Result } from '../../bench/parts/table.ts'

const folder = mkdtempSync(join(tmpdir(), 'ramal-saved-run-'))
afterAll(() => rmSync(folder, { recursive: true }))

const result = (name: string, value: number, more: Partial<Result> = {}): Result => ({
  name,
  measured: '',
  baseline: '',
  values: [value, value * 3, value / 3],
  ...more,
})

function verdicts(before: Result[], now: Result[]) {
  const file = join(folder, 'run.json')
  saveRun(file, before)
  return Object.fromEntries(compareRuns(readRun(file), now, 0.15).map(({ name, verdict }) => [name, verdict]))
}

test('a later run is compared by ratios, counts and sizes, within the tolerance', () => {
  const more = { target: { atLeast: 0.5 } }
  const less = { better: 'less', unit: 'kB' } as const
  const before = [
    result('rate', 1, more),
    result('slower', 1, more),
    result('faster', 1, more),
    result('WAL', 10, less),
    result('leaner', 10, less),
  ]
  const now = [
    result('rate', 0.9, more),
    result('slower', 0.8, more),
    result('faster', 1.3, more),
    result('WAL', 12, less),
    result('leaner', 8, less),
  ]
  expect(verdicts(before, now)).toEqual({
    rate: 'same',
    slower: 'worse',
    faster: 'better',
    WAL: 'worse',
    leaner: 'better',
  })
})

test('figures that depend on the machine of the day are shown, and decide nothing', () => {
  const target = { below: 50 }
  const before = [result('p99', 10, { unit: 'ms', target }), result('no direction', 1)]
  const now = [result('p99', 90, { unit: 'ms', target }), result('no direction', 9), result('new', 1)]
  expect(verdicts(before, now)).toEqual({ p99: 'not compared', 'no direction': 'not compared' })
})

test('a file that is no saved run is refused', () => {
  const file = join(folder, 'other.json')
  writeFileSync(file, '{}')
  expect(() => readRun(file)).toThrow('no results')
})
