/**
 * `npm run bench -- [name…] [--strict] [--save file] [--compare file [--tolerance 0.15]]`: runs the benchmarks and prints
 * one table. A missed target fails the run only with --strict, since a busy machine misses targets for other reasons.
 * --compare fails the run if a ratio, a count or a size is worse than in the saved run.
 */
import { parseArgs } from 'node:util'
import { callLists } from './call-lists.ts'
import { consoleInteractions } from './console.ts'
import { exports } from './exports.ts'
import { firstCall } from './first-call.ts'
import { fleet } from './fleet.ts'
import { hostileBenchmarks } from './hostile.ts'
import { hostileSearches } from './hostile-searches.ts'
import { limited } from './limited.ts'
import { logins } from './logins.ts'
import { me } from './me.ts'
import { mediaSockets } from './media-sockets.ts'
import { memory } from './memory.ts'
import { money } from './money.ts'
import { canPin } from './parts/children.ts'
import { type Comparison, compareRuns, readRun, saveRun, writeComparison } from './parts/saved-run.ts'
import { meets, type Result, writeTable } from './parts/table.ts'
import { place } from './place.ts'
import { recorded } from './recorded.ts'
import { registrations } from './registrations.ts'
import { room } from './room.ts'
import { setups } from './setups.ts'
import { start } from './start.ts'
import { statistics } from './statistics.ts'
import { userFilter } from './user-filter.ts'
import { webhooks } from './webhooks.ts'
import { webrtc } from './webrtc.ts'
import { wholeCalls } from './whole-calls.ts'

const benchmarks: Record<string, () => Promise<Result[]>> = {
  me,
  limited,
  logins,
  'user-filter': userFilter,
  memory,
  start,
  webhooks,
  money,
  'call-lists': callLists,
  statistics,
  exports,
  console: consoleInteractions,
  room,
  'hostile-searches': hostileSearches,
  ...hostileBenchmarks,
  setups,
  recorded,
  webrtc,
  'media-sockets': mediaSockets,
  registrations,
  place,
  'whole-calls': wholeCalls,
  fleet,
  'first-call': firstCall,
}
/** Too long to run unless named. */
const onlyByName = [
  'console',
  'call-lists',
  'statistics',
  'exports',
  'hostile-searches',
  ...Object.keys(hostileBenchmarks),
  'room',
]

const { positionals, values } = parseArgs({
  options: {
    strict: { type: 'boolean', default: false },
    save: { type: 'string' },
    compare: { type: 'string' },
    tolerance: { type: 'string', default: '0.15' },
  },
  allowPositionals: true,
})
const names =
  positionals.length > 0 ? positionals : Object.keys(benchmarks).filter((name) => !onlyByName.includes(name))
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name))

const tolerance = Number(values.tolerance)
/** Read before anything runs: a wrong file must not cost the whole run. */
const earlier = values.compare === undefined ? undefined : readRun(values.compare)

if (!(tolerance > 0 && tolerance < 1)) {
  process.stderr.write('--tolerance is a share between 0 and 1\n')
  process.exitCode = 2
} else if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}\n`,
  )
  process.exitCode = 2
} else {
  await runAll()
}

function isWorse(comparisons: Comparison[]): boolean {
  process.stdout.write(`\n${writeComparison(comparisons)}`)
  return comparisons.some(({ verdict }) => verdict === 'worse')
}

async function runAll() {
  if (!canPin()) process.stderr.write('No taskset or one core only: server and load share what there is.\n')
  const results: Result[] = []
  let broken = false
  for (const name of names) {
    const began = performance.now()
    process.stderr.write(`${name} … `)
    try {
      results.push(...((await benchmarks[name]?.()) ?? []))
      process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
    } catch (error) {
      broken = true
      process.stderr.write(`failed: ${error instanceof Error ? error.stack : error}\n`)
    }
  }
  process.stdout.write(`\n${writeTable(results)}`)
  if (values.save !== undefined) saveRun(values.save, results)
  if (earlier && isWorse(compareRuns(earlier, results, tolerance))) process.exitCode = 1
  if (broken || (values.strict && !results.every(meets))) process.exitCode = 1
}
