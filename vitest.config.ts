import { defineConfig } from 'vitest/config'

/** Every test runs on the embedded PostgreSQL and, if TEST_DATABASE_URL names one, on that as well. */
const external = process.env.TEST_DATABASE_URL

const project = (name: string, env: Record<string, string>, include: string[]) => ({
  extends: true as const,
  test: { name, env, include, globalSetup: ['test/helpers/global-setup.ts'] },
})

export default defineConfig({
  test: {
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project('embedded', {}, ['src/**/*.test.ts', 'test/**/*.test.ts']),
      ...(external
        ? [
            project('external', { DATABASE_UNDER_TEST: external }, [
              'src/filter/**/*.test.ts',
              'test/**/*.test.ts',
            ]),
          ]
        : []),
    ],
  },
})
