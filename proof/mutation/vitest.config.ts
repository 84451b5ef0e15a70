/** Tests of one area and of the canary, as they are run against each mutant; MUTATED_AREA names the area. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { openSaidOnce } from '../../test/helpers/run/say-once.ts'
import { openScratchFolder } from '../../test/helpers/run/scratch-folder.ts'
import { areas, canary } from './areas.ts'

process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
process.env.TMPDIR ??= openScratchFolder()
openSaidOnce()

const area = areas[process.env.MUTATED_AREA ?? '']

export default defineConfig({
  test: {
    include: [...canary.tests, ...(area?.tests ?? [])],
    env: {},
    globalSetup: area && !area.isPure ? ['test/helpers/run/global-setup.ts'] : [],
    isolate: false,
    // Stryker limits the time of a mutant itself, by how long its tests take without it.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 5_000 } },
  },
})
