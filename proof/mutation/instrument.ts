/** Mutants of files, and the files with a switch for each mutant, by Stryker's instrumenter (D566). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './results.ts'

type Instrumented = {
  files: { name: string; content: string }[]
  /** Lines and columns from 0 on. */
  mutants: Place[]
}
/** The parts of its packages that are used. They are loaded for a run only: types and tests of this folder need none. */
type InstrumenterModule = {
  Instrumenter: new (log: object) => { instrument(files: object[], options: object): Promise<Instrumented> }
}

const quiet = { debug() {}, info() {}, warn() {}, error() {}, isDebugEnabled: () => false }

/** Files of the patterns; one that begins with ! is left out. */
export function filesOf(patterns: readonly string[], cwd: string): string[] {
  const isLeftOut = (pattern: string) => pattern.startsWith('!')
  const exclude = patterns.filter(isLeftOut).map((pattern) => pattern.slice(1))
  const included = patterns.filter((pattern) => !isLeftOut(pattern))
  return globSync(included, { cwd, exclude }).toSorted()
}

export async function instrument(paths: readonly string[], root: string): Promise<Instrumented> {
  const { Instrumenter }: InstrumenterModule = await import(
    import.meta.resolve('@stryker-mutator/instrumenter')
  )
  const files = paths.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(root, name), 'utf8'),
  }))
  return await new Instrumenter(quiet).instrument(files, {
    // Most strings are names of columns and statuses: TypeScript refuses another one, and any test would kill its mutant.
    excludedMutations: ['StringLiteral'],
    plugins: null,
    ignorers: [],
  })
}
