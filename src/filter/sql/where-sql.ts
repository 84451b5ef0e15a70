/** Writes a condition as SQL. Every value is a parameter. */
import { type RawBuilder, sql } from 'kysely'
import type { Condition, Leaf } from '../condition.ts'
import { columnTest } from './column-sql.ts'
import { jsonPathTest } from './json-path-sql.ts'
import type { Bool } from './test-sql.ts'

/** Marks statements with a caller's filter, which are not prepared: their text varies without bound. */
export const filterMark = '/*filter*/'

/** One parenthesised expression, to be ANDed with the account's own condition. */
export function whereSql(condition: Condition): Bool {
  return sql`${sql.raw(filterMark)} ${conditionSql(condition)}`
}

function conditionSql(condition: Condition): Bool {
  if ('all' in condition) return joined(condition.all, sql` and `, sql`true`)
  if ('any' in condition) return joined(condition.any, sql` or `, sql`false`)
  return leafSql(condition)
}

function joined(conditions: readonly Condition[], word: RawBuilder<unknown>, none: Bool): Bool {
  const [first, ...rest] = conditions.map(conditionSql)
  if (!first) return none
  return rest.length === 0 ? first : sql`(${sql.join([first, ...rest], word)})`
}

function leafSql({ target, test, negated }: Leaf): Bool {
  const { field, keys } = target
  const holds = field.kind === 'json' ? jsonPathTest(field.column, keys, test) : columnTest(field, test)
  return negated ? sql`((${holds}) is not true)` : sql`(${holds})`
}
