/**
 * `npm run bench -- [name…] [--strict]`: runs the benchmarks and prints one table. A missed target fails the run only
 * with --strict, since a busy machine misses targets for other reasons.
 */
import { parseArgs } from 'node:util'
import { callLists } from './call-lists.ts'
import { fleet } from './fleet.ts'
import { hostileSearches } from './hostile-searches.ts'
import { limited } from './limited.ts'
import { logins } from './logins.ts'
import { me } from './me.ts'
import { memory } from './memory.ts'
import { money } from './money.ts'
import { canPin } from './parts/children.ts'
import { meets, type Result, writeTable } from './parts/table.ts'
import { place } from './place.ts'
import { recorded } from './recorded.ts'
import { registrations } from './registrations.ts'
import { setups } from './setups.ts'
import { start } from './start.ts'
import { userFilter } from './user-filter.ts'
import { webhooks } from './webhooks.ts'
import { webrtc } from './webrtc.ts'

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
  'hostile-searches': hostileSearches,
  setups,
  recorded,
  webrtc,
  registrations,
  place,
  fleet,
}
/** Too long to run unless named. */
const onlyByName = ['call-lists', 'hostile-searches']

const { positionals, values } = parseArgs({
  options: { strict: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names =
  positionals.length > 0 ? positionals : Object.keys(benchmarks).filter((name) => !onlyByName.includes(name))
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name))

if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}\n`,
  )
  process.exitCode = 2
} else {
  await runAll()
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
  if (broken || (values.strict && !results.every(meets))) process.exitCode = 1
}
