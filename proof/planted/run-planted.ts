/** `npm run simulate -- --planted [name]`: runs each planted bug in a copy of the sources, and says how it was found. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bug } from './bug.ts'
import { bugs, plant } from './plant.ts'

type Found = { check: string; text: string }
type Result = { found: Found[] }

/** Sizes of the runs, one after the other, until the bug is found. */
const sizes = [300, 1_000, 3_000]
const timeoutMs = 900_000

export function runPlanted(names: readonly string[], seed: number, note: (line: string) => void): boolean {
  const chosen = names.length === 0 ? bugs : bugs.filter(({ name }) => names.includes(name))
  note('| Bug | What was planted | Calls | Found by |')
  note('|---|---|---|---|')
  const missed = chosen.filter((bug) => !isFound(bug, seed, note))
  if (missed.length > 0) note(`not found: ${missed.map(({ name }) => name).join(', ')}`)
  return missed.length === 0
}

function isFound(bug: Bug, seed: number, note: (line: string) => void): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-planted-'))
  try {
    plant(bug, folder)
    for (const calls of sizes.filter((size) => size >= (bug.calls ?? 0) || size === sizes.at(-1))) {
      const result = simulate(folder, calls, seed)
      // Another check may fail for a reason of its own: only those that can see this bug count.
      const seen = result.found.filter(({ check }) => bug.foundBy.some((one) => one === check))
      const checks = [...new Set(seen.map(({ check }) => check))]
      if (checks.length === 0) continue
      note(`| ${bug.name} | ${bug.about} | ${calls} | ${checks.join(', ')} |`)
      return true
    }
    note(`| ${bug.name} | ${bug.about} | ${sizes.at(-1)} | **not found** |`)
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Throws if the run came to no result: that says nothing about the bug. */
function simulate(folder: string, calls: number, seed: number): Result {
  const args = ['proof/simulate.ts', '--calls', String(calls), '--seed', String(seed), '--json']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  })
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) throw new Error(`a run with a planted bug failed: ${stderr.slice(-2_000)}`)
  return JSON.parse(line)
}
