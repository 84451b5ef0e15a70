/** D249: which processes of the service are shown. */

import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { systemClock } from '../kit/clock.ts'
import { type Database, openDatabase, openPool } from '../store/database.ts'
import { createNodes } from './nodes.ts'
import { leaseSeconds, renewNode, stopNode } from './nodes-store.ts'
import { passDatabaseTime } from './testing/database-time.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(openPool({ connectionString: database.url }, { size: 2, onError: () => {} }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  await db.deleteFrom('voice_nodes').execute()
})

async function start(id: string, { host = 'alfa', address = '10.0.0.1:5060' } = {}) {
  const { rows } = await query<{ now: Date }>('select now() as now')
  const row = { id, host, address, roles: ['voice'], version: '1', state: 'active' as const }
  const reported = {
    calls: 0,
    phones: 10,
    clockOffsetMs: 0,
    trunks: [],
    phoneAddresses: {},
    takesCalls: true,
    parts: {},
  }
  await renewNode(db, { ...row, ...reported, startedAt: rows[0]?.now ?? new Date() }, leaseSeconds)
}

const query = <T>(statement: string) => db.executeQuery<T>(CompiledQuery.raw(statement))
/** Since their last renewals. */
const pass = async (seconds: number) => {
  await passDatabaseTime(query, seconds)
  await query(`update voice_nodes set started_at = started_at - interval '${seconds} seconds'`)
}
const shown = async () =>
  (await createNodes({ db, clock: systemClock }).list()).map(({ id, state }) => `${id} ${state}`)

test('a killed process is forgotten when another has taken its place, and is lost as long as none has', async () => {
  await start('killed')
  await pass(leaseSeconds)
  expect(await shown()).toEqual(['killed lost'])
  await start('elsewhere', { host: 'beta', address: '10.0.0.2:5060' })
  expect(await shown()).toEqual(['killed lost', 'elsewhere active'])
  await start('next')
  expect(await shown()).toEqual(['elsewhere active', 'next active'])
})

test('a process that ran beside a killed one does not take its place', async () => {
  await start('beside')
  await start('killed')
  await pass(leaseSeconds)
  await query(`update voice_nodes set lease_until = now() + interval '20 seconds' where id = 'beside'`)
  expect(await shown()).toEqual(['beside active', 'killed lost'])
})

test('a killed process that nobody replaces is forgotten after an hour; one that stopped is known', async () => {
  await start('killed')
  await start('stopped', { host: 'beta' })
  await stopNode(db, 'stopped')
  await pass(leaseSeconds + 3_599)
  expect(await shown()).toEqual(['killed lost', 'stopped stopped'])
  await pass(2)
  expect(await shown()).toEqual(['stopped stopped'])
})
