/**
 * Runs each test once as it is, and then once for each mutant in the code that it reached, in one process (D566): a mutant
 * costs the time of the test alone. A test that failed with a mutant must pass again without it; otherwise the rest of its
 * file is left to the next process, which begins with a clean state.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { type RunnerTestCase, TestRunner } from 'vitest'
import { type AttemptResult, type Line, pairOf, parseLog, summaryOf } from './in-process-log.ts'

/** What the code that Stryker instruments reads and writes. */
type Switches = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  /** Instrumented code keeps the object that it found first. */
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
  hitCount?: number
  hitLimit?: number
}

const switches: Switches = { mutantCoverage: { static: {}, perTest: {} } }
Object.assign(globalThis, { __stryker__: switches })

/**
 * A mutant that allocates without end fails, and leaves the machine its memory. On Linux; elsewhere it is the system's. Not by
 * addresses, of which WebAssembly reserves gigabytes.
 */
const spareGigabytes = 6
const [, usedKilobytes] =
  process.platform === 'linux'
    ? (/^VmData:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [])
    : []
if (usedKilobytes !== undefined) {
  const most = Number(usedKilobytes) * 1024 + spareGigabytes * 2 ** 30
  spawnSync('prlimit', ['--pid', String(process.pid), `--data=${most}`])
}

const logPath = process.env.MUTANTS_LOG ?? ''
const write = (line: Line) => appendFileSync(logPath, `${JSON.stringify(line)}\n`)
const { failed, timedOut, passed, reached, unusable, outside } = summaryOf(
  parseLog(readFileSync(logPath, 'utf8')),
)
/** Files of which this process has run a mutant: before the first one, nothing can be spoiled. */
const begun = new Set<string>()
/** Files with a database or a service that a mutant has spoiled. */
const spoiled = new Set<string>()

export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const file = test.file.name
    const name = `${file} > ${test.fullTestName}`
    const isOpen = (id: string) => !failed.has(id) && !timedOut.has(id) && !passed.has(pairOf(id, name))
    if (unusable.has(name) || spoiled.has(file) || reached.get(name)?.some(isOpen) === false) return
    noteOutside()
    const attempt = attemptsOf(test)
    switches.currentTestId = name
    const began = performance.now()
    const first = await attempt(60_000)
    const took = performance.now() - began
    switches.currentTestId = undefined
    if (first !== 'passed' && begun.has(file)) return leave(test, name)
    if (first !== 'passed') return write({ unusable: name, reason: `${first} without a mutant` })
    const hits = Object.entries(switches.mutantCoverage.perTest[name] ?? {})
    write({ test: name, reached: hits.map(([id]) => id) })
    if (!hits.some(([id]) => isOpen(id))) return
    const limit = 5_000 + 8 * took
    if ((await attempt(limit)) !== 'passed') return write({ unusable: name, reason: 'passes only once' })
    begun.add(file)
    for (const [id, count] of hits.filter(([id]) => isOpen(id))) {
      write({ tried: id, test: name, result: 'running' })
      switches.hitCount = 0
      switches.hitLimit = 10 * count + 10_000
      switches.activeMutant = id
      const result = await attempt(limit)
      switches.activeMutant = undefined
      write({ tried: id, test: name, result })
      if (result === 'passed') continue
      failed.add(id)
      if ((await attempt(limit)) !== 'passed') return leave(test, name)
    }
  }
}

function noteOutside() {
  const fresh = Object.keys(switches.mutantCoverage.static).filter((id) => !outside.has(id))
  for (const id of fresh) outside.add(id)
  if (fresh.length > 0) write({ outside: fresh })
}

function leave({ file }: RunnerTestCase, test: string) {
  spoiled.add(file.name)
  write({ spoiled: test })
}

/** Where Vitest keeps the functions given to `onTestFinished`. */
type Finishing = { onFinished?: ((context: object) => unknown)[] | undefined }

/** Runs the test once more at each call, with its hooks. Vitest calls them before the first and after the last. */
function attemptsOf(test: RunnerTestCase) {
  const run = TestRunner.getTestFn(test)
  let count = 0
  const renew = async () => {
    // A test that failed may have left less than there is to clean up.
    for (const hook of hooksOf(test, 'afterEach')) await hook().catch(() => {})
    for (const hook of hooksOf(test, 'beforeEach').toReversed()) await hook()
  }
  const own = test as RunnerTestCase & Finishing
  const cleanUp = async () => {
    for (const hook of (own.onFinished ?? []).toReversed()) await hook(test.context)
    own.onFinished = undefined
  }
  return async (limit: number): Promise<AttemptResult> => {
    count += 1
    try {
      if (count > 1 && (await withinLimit(renew, limit)) === 'timed out') return 'timed out'
      return await withinLimit(run, limit)
    } catch {
      return 'failed'
    } finally {
      await withinLimit(cleanUp, limit).catch(() => {})
    }
  }
}

/** From the innermost suite to the file. */
function hooksOf(test: RunnerTestCase, name: 'beforeEach' | 'afterEach') {
  const hooks: (() => Promise<unknown>)[] = []
  for (let suite = test.suite ?? test.file; ; suite = suite.suite ?? test.file) {
    for (const hook of TestRunner.getSuiteHooks(suite)[name])
      hooks.push(async () => await hook(test.context, suite))
    if (suite === test.file) return hooks
  }
}

async function withinLimit(run: () => unknown, limit: number): Promise<'passed' | 'timed out'> {
  const late = Promise.withResolvers<'timed out'>()
  const timer = setTimeout(() => late.resolve('timed out'), limit)
  try {
    return await Promise.race([Promise.resolve(run()).then(() => 'passed' as const), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
