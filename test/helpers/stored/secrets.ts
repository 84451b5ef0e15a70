/** Secrets that the database alone reveals to a person who has a copy of it. */
import { sql } from 'kysely'
import type { Database } from '../../../src/store/database.ts'

/** The tables that have this text in any column of any row, as text or as bytes. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const bytes = Buffer.from(text).toString('hex')
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.table(name)} as whole_row
      where strpos(whole_row::text, ${text}) > 0 or strpos(whole_row::text, ${bytes}) > 0 limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}
