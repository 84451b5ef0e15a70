/**
 * Saved runs of the benchmarks, and how a later run compares with one. Ratios to the baseline of the same run, counts and
 * sizes are compared; times and rates that stand alone depend on the machine of the day and are only shown.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defined } from '../../src/kit/defined.ts'
import { median } from './rounds.ts'
import { formatTable, type Result, type Unit } from './table.ts'

type SavedResult = Pick<Result, 'name' | 'unit' | 'better'> & { value: number }
type SavedRun = { savedAt: string; node: string; cores: number; results: SavedResult[] }

export type Comparison = {
  name: string
  before: number
  now: number
  /** Now divided by before. */
  change: number
  verdict: 'better' | 'same' | 'worse' | 'not compared'
}

export function saveRun(file: string, results: Result[], now = new Date()) {
  const run: SavedRun = {
    savedAt: now.toISOString(),
    node: process.version,
    cores: availableParallelism(),
    results: results.map(toSaved),
  }
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`)
}

export function readRun(file: string): SavedRun {
  const run = JSON.parse(readFileSync(file, 'utf8')) as Partial<SavedRun>
  if (!Array.isArray(run.results)) throw new Error(`${file} is not a saved run: it has no results`)
  return run as SavedRun
}

const comparable: readonly (Unit | undefined)[] = [undefined, 'MB', 'kB', '']

/** Results of both runs, by name. `tolerance`: the share by which a figure may be worse. */
export function compareRuns(before: SavedRun, results: Result[], tolerance: number): Comparison[] {
  const earlier = new Map(before.results.map((result) => [result.name, result]))
  return results.map(toSaved).flatMap(({ name, value, unit, better }) => {
    const saved = earlier.get(name)
    if (!saved) return []
    const change = value / saved.value
    const compares = better !== undefined && comparable.includes(unit)
    const verdict = compares ? judge(change, better, tolerance) : 'not compared'
    return [{ name, before: saved.value, now: value, change, verdict } as const]
  })
}

function judge(change: number, better: 'more' | 'less', tolerance: number): Comparison['verdict'] {
  const gain = better === 'more' ? change : 1 / change
  if (gain < 1 - tolerance) return 'worse'
  return gain > 1 + tolerance ? 'better' : 'same'
}

export function writeComparison(comparisons: Comparison[]): string {
  const titles = ['benchmark', 'before', 'now', 'change', '']
  const lines = comparisons.map(({ name, before, now, change, verdict }) => [
    name,
    before.toFixed(2),
    now.toFixed(2),
    `${change.toFixed(2)} x`,
    verdict,
  ])
  return formatTable([titles, ...lines])
}

function toSaved({ name, values, unit, target, better }: Result): SavedResult {
  const wanted = better ?? (target && ('atLeast' in target ? 'more' : 'less'))
  return {
    name,
    value: median(values),
    ...defined({ unit }),
    ...(wanted && { better: wanted }),
  }
}
