/**
 * Hostile list requests, by the hundred thousand: `node bench/fuzz-filter.ts [count] [seed]`.
 *
 * Each is read; what is not refused with 400 runs on PostgreSQL, must not fail, must not
 * show a row of another account, and must be quick. Exit 1 at the first violation.
 */
import fc from 'fast-check'
import { Refusal } from '../src/contract/errors.ts'
import { type ListQuery, readBareList, readPagedList } from '../src/filter/list-query.ts'
import type { QueryString } from '../src/filter/query-string.ts'
import { thing } from '../src/filter/testing/filters.ts'
import { hostileQuery } from '../src/filter/testing/hostile.ts'
import { createThingTable, type ThingTable, thingList } from '../src/filter/testing/things.ts'
import { startScratchDatabase } from './parts/scratch-database.ts'

const [count = 100_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const reader = { timeZone: 'America/Sao_Paulo' }
const batch = 1000
const slowestAllowed = 2000

const tally = { refused: 0, executed: 0, rows: 0, slowest: 0, slowestQuery: {} as QueryString }

function read(query: QueryString): ListQuery | undefined {
  try {
    return query.page === undefined
      ? readBareList(thingList, query, reader)
      : readPagedList(thingList, query, reader)
  } catch (error) {
    if (error instanceof Refusal && error.statusCode === 400) return undefined
    throw error
  }
}

async function run(table: ThingTable, query: QueryString) {
  const asked = read(query)
  if (!asked) {
    tally.refused++
    return
  }
  const start = performance.now()
  const rows = await table.list(1, asked)
  const took = performance.now() - start
  tally.executed++
  tally.rows += rows.length
  if (took > tally.slowest) Object.assign(tally, { slowest: took, slowestQuery: query })
  if (took > slowestAllowed) throw new Error(`took ${took.toFixed(0)} ms`)
  if (rows.some(({ account }) => account !== 1)) throw new Error('showed a row of another account')
}

function say(line: string) {
  process.stdout.write(`${line}\n`)
}

const database = await startScratchDatabase()
const { pool } = database
const table = await createThingTable(pool)
try {
  const things = fc.sample(thing, { numRuns: 200, seed })
  await table.fill(things.map((one, at) => ({ ...one, id: one.id.replace(/.{4}$/, String(1000 + at)) })))
  for (let done = 0; done < count; done += batch) {
    const queries = fc.sample(hostileQuery, { numRuns: Math.min(batch, count - done), seed: seed + done })
    for (const query of queries) {
      await run(table, query).catch((error: unknown) => {
        throw new Error(`violated by ${JSON.stringify(query)}`, { cause: error })
      })
    }
  }
} catch (error) {
  process.exitCode = 1
  process.stderr.write(`${error instanceof Error ? `${error.message}\n${error.cause}` : error}\n`)
} finally {
  await table.drop()
  await database.stop()
}
say(`seed ${seed}: ${tally.refused} refused, ${tally.executed} accepted and executed, ${tally.rows} rows`)
say(`slowest ${tally.slowest.toFixed(1)} ms: ${JSON.stringify(tally.slowestQuery)}`)
