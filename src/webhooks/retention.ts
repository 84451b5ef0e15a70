/** Events and their deliveries are kept for 30 days (D86), and removed a few at a time. */
import { sql } from 'kysely'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { type Database, unprepared } from '../store/database.ts'

const keptDays = 30
const together = 500
/** A sweep ends after so many even if there are more: others want to sweep too. */
const mostBatches = 200

/** Answers how many events went. */
export async function removeOld(db: Database, clock: Clock): Promise<number> {
  let removed = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const count = await removeBatch(db, plusSeconds(clock.now(), -keptDays * 86_400))
    removed += count
    if (count < together) break
  }
  return removed
}

/** The oldest are those with the lowest ids: nothing younger is read to find them. */
async function removeBatch(db: Database, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    ${sql.raw(unprepared)} with old as materialized (
      select id, account_id from (select id, account_id, created_at from events order by id limit ${together}) as oldest
      where created_at < ${before}
    ), gone as (
      delete from deliveries using old join integrations i on i.account_id = old.account_id
      where deliveries.integration_id = i.id and deliveries.event_id = old.id
    ), removed as (
      delete from events using old where events.id = old.id returning 1
    )
    select count(*)::int as count from removed`.execute(db)
  return rows[0]?.count ?? 0
}
