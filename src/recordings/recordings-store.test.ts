import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVoiceService, type VoiceService } from '../../test/helpers/service/voice.ts'
import type { Database } from '../store/database.ts'
import { readSpoolQueue, selectOutdated, selectSpooled } from './recordings-store.ts'

let service: VoiceService

beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())

/** The plan for any values, as connections of calls make it. */
async function genericPlanOf(run: (db: Database) => Promise<unknown>): Promise<string> {
  return await service.db.connection().execute(async (db) => {
    let asked: { sql: string; parameters: readonly unknown[] } | undefined
    const watched = db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        asked = db.getExecutor().compileQuery(node, queryId)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await run(watched)
    const values = (asked?.parameters ?? []).map((value) =>
      sql.lit(value instanceof Date ? value.toISOString() : String(value)),
    )
    await sql`set plan_cache_mode = force_generic_plan`.execute(db)
    await sql`set enable_seqscan = off`.execute(db)
    await sql`prepare asked as ${sql.raw(asked?.sql ?? '')}`.execute(db)
    const execution = values.length > 0 ? sql`asked(${sql.join(values)})` : sql`asked`
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain execute ${execution}`.execute(db)
    await sql`deallocate asked`.execute(db)
    await sql`reset all`.execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

const zero = '00000000-0000-0000-0000-000000000000'

test.each([
  ['to be stored', 'calls_spooled', (db: Database) => selectSpooled(db, zero, 10)],
  ['to be stored, as a figure', 'calls_spooled', (db: Database) => readSpoolQueue(db)],
  ['to be removed', 'calls_recorded', (db: Database) => selectOutdated(db, new Date(), 10)],
])('recordings %s are found by their index, without reading other calls', async (_, index, run) => {
  expect(await genericPlanOf(run)).toContain(index)
})
