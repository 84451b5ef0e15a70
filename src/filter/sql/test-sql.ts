/** Writes tests on a value expression as SQL. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Test } from '../condition.ts'

export type Bool = RawBuilder<SqlBool>

export const comparisons = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

export function patternSql(
  text: RawBuilder<unknown>,
  { is, pattern, ignoreCase }: Extract<Test, { pattern: string }>,
): Bool {
  if (is === 'like') return ignoreCase ? sql`${text} ilike ${pattern}` : sql`${text} like ${pattern}`
  return ignoreCase ? sql`${text} ~* ${pattern}` : sql`${text} ~ ${pattern}`
}

/** Any of the parts; without parts no row matches. */
export function anyOf(parts: readonly Bool[]): Bool {
  return parts.length === 0 ? sql`false` : sql`${sql.join(parts, sql` or `)}`
}

/** A column or, in parentheses, an expression: declared in code, never taken from a request. */
export function columnSql(column: string): RawBuilder<unknown> {
  return column.startsWith('(') ? sql.raw(column) : sql.ref(column)
}
