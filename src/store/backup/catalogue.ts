/** What the database says of its tables, for backups. */
import type pg from 'pg'

/** Kept by the migrations themselves. */
const ownTable = 'migrations'

type Reference = { from: string; to: string }

/** Every table after those it refers to. Of a partitioned one the whole (D254), wherever its rows are. */
export async function tablesInOrder(session: pg.Client): Promise<string[]> {
  const tables = await session.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
     and relname <> '${ownTable}' order by relname`,
  )
  const references = await session.query<Reference>(
    `select t.relname as from, other.relname as to from pg_constraint
     join pg_class t on t.oid = conrelid join pg_class other on other.oid = confrelid
     where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  )
  const left = new Set(tables.rows.map(({ name }) => name))
  const ordered: string[] = []
  while (left.size > 0) {
    const waits = (table: string) => references.rows.some(({ from, to }) => from === table && left.has(to))
    const next = [...left].filter((table) => !waits(table))
    if (next.length === 0) throw new Error(`These tables refer to each other: ${[...left].join(', ')}`)
    for (const table of next) left.delete(table)
    ordered.push(...next)
  }
  return ordered
}

export type Column = { name: string; type: string }

export async function columnsOf(session: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await session.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = format('public.%I', $1::text)::regclass and attnum > 0 and not attisdropped
     order by attnum`,
    [table],
  )
  return rows
}
