/**
 * The keys of changed records, read from an index on (account_id, changed_at, id). Transactions commit in another order
 * than they change rows: a row may become visible after rows that were changed later. So changes are read only up to the
 * start of the oldest transaction that may still commit one (D575).
 */
import { type RawBuilder, sql } from 'kysely'
import { beforeChanges, type LastChange, type Updates, writeLastChange } from '../filter/updates.ts'
import type { Database } from './database.ts'

type Asked = {
  accountId: number
  /** Each with the columns account_id, changed_at and id. */
  tables: readonly [string, ...string[]]
  idType: 'uuid' | 'bigint'
  last: LastChange
  limit: number
}

type ChangedKey = { id: string; at: string; table: string }

export async function readChanged(db: Database, asked: Asked): Promise<Updates<ChangedKey>> {
  // A statement of its own, before: whatever committed until now is visible to the next one.
  const settled = await readSettledTime(db)
  const { rows } = await changedKeys(asked, settled).execute(db)
  const { last, limit, idType } = asked
  const shown = rows.slice(0, limit)
  // D583: behind a time to come lies nothing yet, and the next change comes before it.
  const start = last.at > settled ? { at: settled, id: beforeChanges(idType).id } : last
  return { rows: shown, cursor: writeLastChange(shown.at(-1) ?? start), more: rows.length > limit }
}

/** One more than the limit, which tells whether there are more. */
export function changedKeys({ accountId, tables, idType, last, limit }: Asked, settled: string) {
  const type = sql.raw(idType)
  const most = limit + 1
  const changedIn = (table: string): RawBuilder<unknown> => sql`
    (select id, changed_at, ${sql.lit(table)} as table from ${sql.table(table)}
    where account_id = ${accountId} and (changed_at, id) > (${last.at}::timestamptz, ${last.id}::${type})
      and changed_at < ${settled}::timestamptz
    order by changed_at, id limit ${most})`
  return sql<ChangedKey>`
    select id::text, ${utcText('changed_at')} as at, "table"
    from (${sql.join(tables.map(changedIn), sql` union all `)}) as changed
    order by changed_at, changed.id limit ${most}`
}

const utcText = (column: string) =>
  sql<string>`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * Before it, every change is committed or rolled back: change_time() gives a transaction its id and then reads the clock.
 * Sessions of other database users, which this one may not see, are left out.
 */
async function readSettledTime(db: Database): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select ${utcText('least(clock_timestamp(), min(xact_start))')} as at from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and backend_xid is not null`.execute(
    db,
  )
  return rows[0]?.at ?? ''
}
