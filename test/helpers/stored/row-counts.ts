/** How many rows a table has: whether what grows with use is removed after its time, or with what it belongs to. */
import { sql } from 'kysely'
import type { Database } from '../../../src/store/database.ts'
import type { Tables } from '../../../src/store/tables.ts'

type Columns = Record<string, string | number>

/** The rows that have these values. */
export async function countRows(db: Database, table: keyof Tables, columns: Columns = {}): Promise<number> {
  const conditions = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ${sql.table(table)} ${where}`.execute(db)
  return rows[0]?.total ?? 0
}
