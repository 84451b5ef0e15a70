/** `npm run simulate -- --planted [name …]`: runs each planted bug in a copy of the sources, and says how it was found. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import { createSemaphore } from '../../src/kit/semaphore.ts'
import { simulate } from '../shards/simulate-process.ts'
import type { Bug } from './bug.ts'
import { bugs, plant } from './plant.ts'

/** Calls of one run; the first ones are smaller, since most bugs are found soon. */
const sizes = [100, 300]
const maxSize = 1_000
/** Without the bug: a run of the same seed must be clean. */
const program = fileURLToPath(new URL('../simulate.ts', import.meta.url))

export type PlantedOptions = {
  /** All bugs if there are none. */
  names: readonly string[]
  seed: number
  /** Calls of all runs of a bug together, after which it counts as not found. */
  maxCalls: number
  /** Bugs that run at once. */
  jobs: number
  /** Further options of a run, such as `--fault-every 0` for bugs that need no fault. */
  shape: readonly string[]
  note(line: string): void
}

export async function runPlanted(options: PlantedOptions): Promise<boolean> {
  const { names, jobs, note } = options
  const unknown = names.filter((name) => !bugs.some((bug) => bug.name === name))
  if (unknown.length > 0) throw new Error(`no such bug: ${unknown.join(', ')}`)
  const chosen = names.length === 0 ? bugs : bugs.filter(({ name }) => names.includes(name))
  note('| Bug | What was planted | Calls | Found by |')
  note('|---|---|---|---|')
  const semaphore = createSemaphore(jobs)
  const found = await Promise.all(chosen.map((bug) => semaphore.run(() => isFound(bug, options))))
  const missed = chosen.filter((_, index) => !found[index])
  if (missed.length > 0) note(`not found: ${missed.map(({ name }) => name).join(', ')}`)
  return missed.length === 0
}

async function isFound(bug: Bug, { seed, maxCalls, shape, note }: PlantedOptions): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-planted-'))
  chmodSync(folder, 0o711)
  const random = createSeededRandom(seed)
  const row = (calls: number, by: string) => note(`| ${bug.name} | ${bug.about} | ${calls} | ${by} |`)
  let calls = 0
  try {
    plant([bug], folder)
    for (let run = 0; calls < maxCalls; run += 1) {
      const size = Math.min(sizes[run] ?? maxSize, maxCalls - calls)
      // The files of a killed run are removed with the copy.
      const args = argsOf(size)
      const result = await simulate(join(folder, 'proof/simulate.ts'), args, folder)
      calls += result.calls
      // Another check may fail for a reason of its own: only those that can see this bug count.
      const seen = result.found.filter(({ check }) => bug.foundBy.some((one) => one === check))
      const checks = [...new Set(seen.map(({ check }) => check))]
      if (checks.length === 0) continue
      const { found } = await simulate(program, args)
      const isClean = found.length === 0
      row(calls, isClean ? checks.join(', ') : `**not clean without it**: ${args.join(' ')}`)
      return isClean
    }
    row(calls, '**not found**')
  } catch (error) {
    // A run without a result says nothing about the bug.
    row(calls, `**no result**: ${String(error).replaceAll(/\s+/g, ' ')}`)
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 })
  }
  return false

  function argsOf(size: number): string[] {
    return ['--seed', String(random.below(2 ** 31)), '--calls', String(size), ...shape]
  }
}
