/** Writes tests on a column as SQL. */
import { type RawBuilder, sql } from 'kysely'
import type { Test } from '../condition.ts'
import type { Field, FieldKind } from '../fields.ts'
import { anyOf, type Bool, columnSql, comparisons, patternSql } from './test-sql.ts'

export function columnTest(field: Field, test: Test): Bool {
  const column = columnSql(field.column)
  switch (test.is) {
    case 'in':
      return listed(field, test.values)
    case 'within':
      return within(field, test)
    case 'phone':
      return anyOf([
        sql`regexp_replace(${column}, '[^0-9+]', '', 'g') = any(${test.spellings}::text[])`,
        listed(field, test.texts),
      ])
    case 'like':
    case 'matches':
      return patternSql(column, test)
    default:
      return sql`${inOrder(field)} ${comparisons[test.is]} ${test.value}${casts[field.kind]}`
  }
}

function listed(field: Field, values: readonly (string | null)[]): Bool {
  const column = columnSql(field.column)
  const known = values.filter((value) => value !== null)
  const parts: Bool[] = []
  if (known.length === 1) parts.push(sql`${column} = ${known[0]}${casts[field.kind]}`)
  if (known.length > 1) parts.push(sql`${column} = any(${known}${casts[field.kind]}[])`)
  if (known.length < values.length) parts.push(sql`${column} is null`)
  return anyOf(parts)
}

function within(field: Field, { spans, orNull }: Extract<Test, { is: 'within' }>): Bool {
  const column = columnSql(field.column)
  const parts: Bool[] = spans.map(
    ({ from, until }) => sql`(${column} >= ${from}::timestamptz and ${column} < ${until}::timestamptz)`,
  )
  return anyOf(orNull ? [...parts, sql`${column} is null`] : parts)
}

/** Without a type of its own a parameter takes the column's, and 2147483648 fails on an integer column. */
export const casts = {
  text: sql`::text`,
  choice: sql`::text`,
  uuid: sql`::uuid`,
  integer: sql`::bigint`,
  decimal: sql`::bigint`,
  instant: sql`::timestamptz`,
  boolean: sql`::boolean`,
  json: sql`::jsonb`,
} satisfies Record<FieldKind, RawBuilder<unknown>>

/** Texts are ordered by code point, whatever the database's collation. */
export function inOrder(field: Field): RawBuilder<unknown> {
  const column = columnSql(field.column)
  return field.kind === 'text' || field.kind === 'choice' ? sql`${column} collate "C"` : column
}
