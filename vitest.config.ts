import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongFilesFirst } from './test/helpers/run/long-files-first.ts'
import { reportRetriedTests } from './test/helpers/run/retried-tests.ts'
import { openSaidOnce } from './test/helpers/run/say-once.ts'
import { openScratchFolder } from './test/helpers/run/scratch-folder.ts'
import { released, shippedModules } from './test/release/shipped-modules.ts'

// Worker threads load TypeScript without the WebAssembly module that strips its types, except the first time.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
process.env.TMPDIR ??= openScratchFolder()
openSaidOnce()

/**
 * Tests run on the embedded PostgreSQL and, if TEST_DATABASE_URL names one, on that as well: those of modules and of security in
 * `npm test`, the contract and the journeys in `npm run test:release`.
 */
const external = process.env.TEST_DATABASE_URL

const everything = ['src/**/*.test.ts', 'test/**/*.test.ts', 'proof/**/*.test.ts']
/** Those that bring a database of their own, or need none. */
const withoutTestDatabase = [
  'src/{config,kit,engine,sip,media,recordings/storage,store/embedded}**',
  'src/cli/phone/**',
  'src/http/limits/redis-rate-counters*',
  'src/payments/{asaas,codes}/**',
  'src/store/connection/low-priority*',
  'src/users/passwords/passwords*',
  'test/security/access/{file-modes,password-guessing}*',
  'test/security/http/{fuzzed-requests,idle-connections,slow-bodies}*',
  'test/security/sip/{foreign-bye,forged-datagrams,signed-for-another-number,tcp-dial-back,unanswered-invites}*',
]

/** Those of a release, which `npm run release` makes. */
const withoutSources = ['test/release/**']

/** Those about HTTP and pages: which PostgreSQL stores the account that they use changes nothing. */
const aboutHttp = ['test/security/http/{malformed-http,operator-pages}*']

/** Those that compare sound, or timing, as it happens, or need most of the machine: they run when the rest is over. */
const inRealTime = [
  'test/fleet/**/*.test.ts',
  'test/upgrade/**/*.test.ts',
  'test/sip/**/*.test.ts',
  'test/security/sip/{flood,fuzzed-messages,rtp-*}.test.ts',
  'test/journeys/crashes/killed-call.test.ts',
  'test/journeys/phones/web-phone.test.ts',
  'test/clients/story.test.ts',
  'test/samples/samples.test.ts',
  'test/console/{account-settings,account-stories,call-story,many-calls,phone-network,phone-places,narrow,operator,story}.test.ts',
  'test/console/{everyday,phone}/*.test.ts',
  'src/media/{*,thread/*}.test.ts',
]

const globalSetup = ['test/helpers/run/global-setup.ts']

const project = (name: string, env: Record<string, string>, include: string[], exclude: string[]) => ({
  extends: true as const,
  test: { name, env, include, exclude: [...inRealTime, ...exclude], globalSetup },
})

const realTime = (name: string, env: Record<string, string>, include: string[]) => ({
  extends: true as const,
  test: {
    name,
    env,
    include,
    globalSetup,
    sequence: { groupOrder: 1 },
    // Most of them wait for sound to be played, and three of them use little more than one core.
    maxWorkers: 3,
    // A second that the machine was busy elsewhere is missing in the sound. What was retried is listed at the end.
    retry: 1,
  },
})

const onExternal: Record<string, string> = external ? { DATABASE_UNDER_TEST: external } : {}
const asReleased = { RELEASE_UNDER_TEST: released, ...onExternal }

const onSources = () => [
  project('embedded', {}, everything, withoutSources),
  realTime('real time', {}, inRealTime),
  ...(external
    ? [
        project(
          'external',
          onExternal,
          ['src/**/*.test.ts', 'test/security/**/*.test.ts'],
          [...withoutTestDatabase, ...aboutHttp],
        ),
      ]
    : []),
]

/** `npm run test:release`: the contract and the journeys once more, on the files of the release (D450). */
const onRelease = () => [
  project('release', asReleased, ['test/{spec,journeys,release}/**/*.test.ts'], []),
  realTime(
    'release, real time',
    asReleased,
    inRealTime.filter((pattern) => pattern.startsWith('test/journeys/')),
  ),
]

const isReleaseTested = process.env.TEST_RELEASE === '1'

export default defineConfig({
  plugins: isReleaseTested ? [shippedModules()] : [],
  test: {
    isolate: false,
    reporters: [...configDefaults.reporters, reportRetriedTests()],
    sequence: { sequencer: LongFilesFirst },
    // V8 13.6 can abort when it frees WebAssembly code while worker threads start and end (nodejs/node#64500).
    execArgv: ['--no-wasm-code-gc'],
    // One more than there are cores: much of what tests do is wait. The default leaves one core idle.
    maxWorkers: availableParallelism() + 1,
    // For tests that hang: a slow or busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Node loads the files of the release as they are.
    server: { deps: { external: [/\/release\/(testing\.js|package\/)/] } },
    projects: isReleaseTested ? onRelease() : onSources(),
  },
})
