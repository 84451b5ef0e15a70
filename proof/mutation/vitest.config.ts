/**
 * Tests of one area and of the canary. MUTATED_AREA names the area; MUTANTS_FOLDER has the files with their mutants. With
 * MUTANTS_LOG each test is run with each mutant that it reaches.
 */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { openSaidOnce } from '../../test/helpers/run/say-once.ts'
import { openScratchFolder } from '../../test/helpers/run/scratch-folder.ts'
import { areas, canary } from './areas.ts'

process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
process.env.TMPDIR ??= openScratchFolder()
openSaidOnce()

const area = areas[process.env.MUTATED_AREA ?? '']
const tests = [...canary.tests, ...(area?.tests ?? [])]
const texts: Record<string, string> = JSON.parse(
  readFileSync(join(process.env.MUTANTS_FOLDER ?? '', 'texts.json'), 'utf8'),
)

/** Quick ones first, as the area lists them: the first test that fails decides. */
class AsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) =>
      tests.findIndex((pattern) => matchesGlob(moduleId, `**/${pattern}`))
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

export default defineConfig({
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => texts[id.replace(/\?.*/, '')] }],
  test: {
    include: tests,
    sequence: { sequencer: AsListed },
    env: {},
    ...(process.env.MUTANTS_LOG && { runner: fileURLToPath(new URL('mutant-runner.ts', import.meta.url)) }),
    // Its keys know nothing of the mutants: a file that another area has loaded would be without them.
    fsModuleCache: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    globalSetup: area && !area.isPure ? ['test/helpers/run/global-setup.ts'] : [],
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    expect: { poll: { timeout: 5_000 } },
  },
})
