/** Tests in SQL, on whatever holds the value. */
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

/** The parts of a list test: none of them is no row. */
export function anyOf(parts: readonly Bool[]): Bool {
  return parts.length === 0 ? sql`false` : sql`${sql.join(parts, sql` or `)}`
}
