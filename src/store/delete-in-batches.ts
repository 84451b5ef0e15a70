/** Deletes old rows a few at a time: no statement holds locks, or the disk, for long. */
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

const batchSize = 1_000

/** Rows of the table in which the moment in `column`, which has an index, is before `before`. Returns their number. */
export async function deleteInBatches<T extends keyof Tables & string>(
  db: Database,
  { table, column, before }: { table: T; column: keyof Tables[T] & string; before: Date },
): Promise<number> {
  const [rows, moment] = [sql.table(table), sql.ref(column)]
  for (let total = 0; ; ) {
    const { numAffectedRows } = await sql`
      delete from ${rows} where ctid in (
        select ctid from ${rows} where ${moment} < ${before} order by ${moment} limit ${batchSize}
        for update skip locked)`.execute(db)
    const deleted = Number(numAffectedRows ?? 0n)
    total += deleted
    if (deleted < batchSize) return total
  }
}
