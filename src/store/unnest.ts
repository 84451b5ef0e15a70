/**
 * Many rows handed to one statement as parallel arrays. Column list and parameters come from one definition, so they
 * cannot get out of order:
 *
 *   const notes = defineUnnest<Note>('note', { id: ['uuid', (note) => note.id], body: ['text', (note) => note.body] })
 *   sql`insert into notes select * from ${notes.sql(rows)}`
 *   // … from unnest($1::uuid[], $2::text[]) as note (id, body)
 */
import { type RawBuilder, sql } from 'kysely'

type SqlType =
  | 'bigint'
  | 'boolean'
  | 'bytea'
  | 'double precision'
  | 'int'
  | 'jsonb'
  | 'text'
  | 'timestamptz'
  | 'uuid'

/** Their values need no quotes in the text of an array. */
const plainTypes: readonly SqlType[] = ['bigint', 'boolean', 'double precision', 'int', 'timestamptz', 'uuid']

/** The type of each column, and how its value is read from a row. */
type Columns<Row> = Record<string, [type: SqlType, read: (row: Row) => unknown]>

export function defineUnnest<Row>(alias: string, columns: Columns<Row>) {
  const names = Object.keys(columns)
  const types = Object.values(columns).map(([type]) => type)
  const readers = Object.values(columns).map(([, read]) => read)
  const writers = types.map(writerOf)
  const end = `) as ${alias} (${names.join(', ')})`

  function values(rows: readonly Row[]): unknown[] {
    return readers.map((read, index) => writers[index]?.(rows.map(read)))
  }

  return {
    names,
    values,
    /** For a statement compiled once: the parameters are `values(rows)`, numbered from `first`. */
    text(first = 1): string {
      return `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')}${end}`
    },
    /** For a `sql` template. */
    sql(rows: readonly Row[]): RawBuilder<unknown> {
      const arrays = values(rows).map((list, index) => sql`${list}::${sql.raw(`${types[index]}[]`)}`)
      return sql`unnest(${sql.join(arrays)}${sql.raw(end)}`
    },
  }
}

function writerOf(type: SqlType): (list: unknown[]) => unknown {
  if (type === 'bytea') return (list) => list
  return plainTypes.includes(type) ? arrayText : quotedArrayText
}

/** As the driver would write it, which looks for quotes in every element. */
function arrayText(list: unknown[]): string {
  const elements = list.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    return value instanceof Date ? value.toISOString() : String(value)
  })
  return `{${elements.join(',')}}`
}

/** JSON quotes as an array's text does, but for control characters; the driver looks for quotes and backslashes one by one. */
function quotedArrayText(list: unknown[]): unknown {
  const text = JSON.stringify(list)
  return /\\[^"\\]/.test(text) ? list : `{${text.slice(1, -1)}}`
}
