/**
 * D254: tables in one partition a month, or a day (UTC), so that what is old is dropped instead of deleted row by row.
 *
 *   events ─┬─ events_before    what was there when the table was partitioned; gone some months later
 *           ├─ events_2026_11   one for each month, some of them ahead
 *           └─ events_rest      rows of any other time, until their month is added; new months are made like it
 *
 * `api_requests` has a part for each day: `api_requests_2026_11_17`.
 *
 * Unique indexes hold within a month: the rows of a call or charge are written under its lock, which is what makes them
 * unique; the indexes are a second guard.
 */
import { type RawBuilder, sql } from 'kysely'
import { startOfMonth } from '../kit/text/months.ts'
import { unprepared } from './connection/prepared-statements.ts'
import type { Database } from './database.ts'

/** A partitioned table, and the column that says to which month or day a row belongs. */
export type PartitionedTable = {
  name: 'audit' | 'events' | 'api_requests'
  column: string
  period: 'month' | 'day'
}

export const auditTable: PartitionedTable = { name: 'audit', column: 'at', period: 'month' }
export const eventsTable: PartitionedTable = { name: 'events', column: 'created_at', period: 'month' }
export const requestsTable: PartitionedTable = { name: 'api_requests', column: 'at', period: 'day' }
export const partitionedTables = [auditTable, eventsTable, requestsTable]

const partsAhead = 1
/** All who use the table wait behind a change of its partitions. */
const lockTimeoutMs = 500
/** Any fixed number: one process changes partitions at a time. */
const partsLock = 7_264_251_030

export type Part = { name: string; since: Date | null; until: Date }

/** Adds the current month or day, those ahead, and those of stray rows. False if the table was in use for too long. */
export async function addParts(db: Database, table: PartitionedTable, now: Date): Promise<boolean> {
  const parts = await readParts(db, table)
  const ahead = Array.from({ length: partsAhead + 1 }, (_, offset) => startOf(table, now, offset))
  const wanted = [...ahead, ...(await startsOfRest(db, table))]
  const isThere = (start: Date) =>
    parts.some(({ since, until }) => (since === null || since <= start) && start < until)
  for (const start of wanted.filter((one) => !isThere(one))) {
    if (!(await changeParts(db, table, (tx) => addPart(tx, table, start)))) return false
  }
  return true
}

/** The start of the month or day `offset` after that of the moment. */
function startOf({ period }: PartitionedTable, at: Date, offset = 0): Date {
  if (period === 'month') return startOfMonth(at, offset)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + offset))
}

/** Characters of a date that name a part: `2026-11`, `2026-11-17`. */
const nameLength = { month: 7, day: 10 }

/** Partitions of which every row is so many days old by the clock of the database itself (D515), the oldest first. */
export async function selectOldParts(db: Database, table: PartitionedTable, days: number): Promise<Part[]> {
  const { rows } = await sql<{
    before: Date
  }>`select now() - make_interval(days => ${days}) as before`.execute(db)
  const before = rows[0]?.before
  return before ? (await readParts(db, table)).filter(({ until }) => until <= before) : []
}

/** False if the table was in use for too long: then the partition is dropped another time. */
export async function dropPart(db: Database, table: PartitionedTable, { name }: Part): Promise<boolean> {
  return await changeParts(db, table, async (tx) => {
    await once(tx, sql`drop table if exists ${sql.table(name)}`)
  })
}

const restOf = ({ name }: PartitionedTable) => `${name}_rest`

async function readParts(db: Database, table: PartitionedTable): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select name, (regexp_match(bounds, 'FROM [(]''([^'']+)''[)]'))[1]::timestamptz as since,
      (regexp_match(bounds, 'TO [(]''([^'']+)''[)]'))[1]::timestamptz as until
    from (
      select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bounds
      from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = ${table.name}::regclass and relname <> ${restOf(table)}) as part
    order by until`.execute(db)
  return rows
}

async function startsOfRest(db: Database, table: PartitionedTable): Promise<Date[]> {
  const { rows } = await sql<{ start: Date }>`
    select distinct date_trunc(${sql.lit(table.period)}, ${sql.ref(table.column)}, 'UTC') as start
    from ${sql.table(restOf(table))} order by start`.execute(db)
  return rows.map(({ start }) => start)
}

const lockNotAvailable = '55P03'

/** The table is locked before anything else: a statement that waits chooses the partition of its rows afterwards. */
async function changeParts(
  db: Database,
  table: PartitionedTable,
  change: (tx: Database) => Promise<void>,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx)
      await sql`select pg_advisory_xact_lock(${partsLock}::bigint)`.execute(tx)
      await sql`lock table ${sql.table(table.name)} in access exclusive mode`.execute(tx)
      await change(tx)
    })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === lockNotAvailable) return false
    throw error
  }
}

/** Does nothing if another process was faster. */
async function addPart(tx: Database, table: PartitionedTable, start: Date) {
  const day = start.toISOString().slice(0, nameLength[table.period])
  const name = `${table.name}_${day.replaceAll('-', '_')}`
  const { rows } = await sql<{ found: string | null; options: string[] | null }>`
    select to_regclass(${name})::text as found,
      (select reloptions from pg_class where oid = ${restOf(table)}::regclass) as options`.execute(tx)
  if (rows[0]?.found) return
  const [part, rest, column] = [sql.table(name), sql.table(restOf(table)), sql.ref(table.column)]
  const [from, to] = [sql.lit(start.toISOString()), sql.lit(startOf(table, start, 1).toISOString())]
  await once(tx, sql`create table ${part} (like ${rest} including all excluding identity)`)
  const options = rows[0]?.options ?? []
  if (options.length > 0) await once(tx, sql`alter table ${part} set (${sql.raw(options.join(', '))})`)
  await once(
    tx,
    sql`with moved as (delete from ${rest} where ${column} >= ${from} and ${column} < ${to} returning *)
      insert into ${part} select * from moved`,
  )
  const whole = sql.table(table.name)
  await once(tx, sql`alter table ${whole} attach partition ${part} for values from (${from}) to (${to})`)
}

/** Not prepared: the name of the partition is part of the text, so the statement would never be reused. */
async function once(tx: Database, statement: RawBuilder<unknown>) {
  await sql`${statement} ${sql.raw(unprepared)}`.execute(tx)
}
