/** D559: runs Stryker on an area and the canary. */
import { fileURLToPath } from 'node:url'
import { areas, canary } from './areas.ts'
import type { Mutant } from './results.ts'

/** The part of Stryker that is used; it checks its options itself. It is loaded for a run only: types and tests of this folder need none. */
type StrykerModule = { Stryker: new (options: object) => { runMutationTest(): Promise<Mutant[]> } }

/** The copy that is mutated needs only what tests import and what the migrations read. */
const notCopied = ['/docs', '/site', '/samples', '/deploy', '/release', '/data', '/.git', '/reports']

export async function runMutants(name: string, concurrency: number): Promise<Mutant[]> {
  const area = name === 'canary' ? { mutated: [], tests: [] } : areas[name]
  if (!area) throw new Error(`no such area: ${name}; there are canary, ${Object.keys(areas).join(', ')}`)
  process.env.MUTATED_AREA = name
  const { Stryker }: StrykerModule = await import(import.meta.resolve('@stryker-mutator/core'))
  const stryker = new Stryker({
    mutate: [...canary.mutated, ...area.mutated],
    // Most strings are names of columns and statuses: TypeScript refuses another one, and any test would kill its mutant.
    mutator: { excludedMutations: ['StringLiteral'] },
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    testRunner: 'vitest',
    vitest: { configFile: 'proof/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency,
    ignorePatterns: notCopied,
    // TypeScript 7 cannot be called by Stryker, and the copy needs no tsconfig.json of its own.
    tsconfigFile: 'none',
    // A busy machine is no reason to count a mutant as noticed.
    timeoutMS: 30_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 20,
    reporters: ['progress-append-only'],
  })
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const mutants = await stryker.runMutationTest()
  return mutants.map((mutant) => ({ ...mutant, fileName: mutant.fileName.replace(root, '') }))
}
