/** `npm run simulate -- --planted [name …]`: runs each planted bug in a copy of the sources, and says how it was found. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bug } from './bug.ts'
import { bugs, plant } from './plant.ts'

type Found = { check: string; text: string }
type Result = { calls: number; found: Found[] }

/** Sizes of the runs before the largest one, until the bug is found. */
const sizes = [150, 600]
/** A bug may keep a run from ending. */
const timeoutMs = 1_800_000

export type PlantedOptions = {
  /** All bugs if there are none. */
  names: readonly string[]
  seed: number
  /** Calls of the largest run. */
  maxCalls: number
  /** Real time after which a run makes no further calls. */
  maxSeconds: number
  /** Further options of a run, such as `--fault-every 0` for bugs that need no fault. */
  shape: readonly string[]
  note(line: string): void
}

export function runPlanted(options: PlantedOptions): boolean {
  const { names, note } = options
  const unknown = names.filter((name) => !bugs.some((bug) => bug.name === name))
  if (unknown.length > 0) throw new Error(`no such bug: ${unknown.join(', ')}`)
  const chosen = names.length === 0 ? bugs : bugs.filter(({ name }) => names.includes(name))
  note('| Bug | What was planted | Calls | Found by |')
  note('|---|---|---|---|')
  const missed = chosen.filter((bug) => !isFound(bug, options))
  if (missed.length > 0) note(`not found: ${missed.map(({ name }) => name).join(', ')}`)
  return missed.length === 0
}

function isFound(bug: Bug, options: PlantedOptions): boolean {
  const { maxCalls, note } = options
  const folder = mkdtempSync(join(tmpdir(), 'ramal-planted-'))
  chmodSync(folder, 0o711)
  let calls = 0
  try {
    plant([bug], folder)
    for (const size of [...sizes.filter((one) => one < maxCalls), maxCalls]) {
      const result = simulate(folder, size, options)
      calls += result.calls
      // Another check may fail for a reason of its own: only those that can see this bug count.
      const seen = result.found.filter(({ check }) => bug.foundBy.some((one) => one === check))
      const checks = [...new Set(seen.map(({ check }) => check))]
      if (checks.length === 0) continue
      note(`| ${bug.name} | ${bug.about} | ${calls} | ${checks.join(', ')} |`)
      return true
    }
    note(`| ${bug.name} | ${bug.about} | ${calls} | **not found** |`)
  } catch (error) {
    // A run without a result says nothing about the bug.
    note(
      `| ${bug.name} | ${bug.about} | ${calls} | **no result**: ${String(error).replaceAll(/\s+/g, ' ')} |`,
    )
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 })
  }
  return false
}

function simulate(folder: string, calls: number, { seed, maxSeconds, shape }: PlantedOptions): Result {
  const limits = ['--calls', String(calls), '--seconds', String(maxSeconds)]
  const args = ['proof/simulate.ts', '--seed', String(seed), ...limits, ...shape, '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    // The files of a killed run are removed with the copy.
    env: { ...process.env, TMPDIR: folder },
    maxBuffer: 64 * 1024 * 1024,
    timeout: timeoutMs,
  })
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`the run failed: ${stderr.slice(-1_000)}`)
  return JSON.parse(line)
}
