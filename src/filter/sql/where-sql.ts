/** Writes a condition as SQL. Every value is a parameter. */
import { type RawBuilder, sql } from 'kysely'
import type { Condition, Leaf, Test } from '../condition.ts'
import type { Field } from '../fields.ts'
import { columnTest } from './column-sql.ts'
import { jsonPathTest } from './json-path-sql.ts'
import { anyOf, type Bool } from './test-sql.ts'

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

/** `exists` rather than a joined value: PostgreSQL may then begin with the rows of the other table. */
function throughSql(field: Field, test: Test, through: string): Bool {
  const rows = sql.raw(through)
  const isListed = test.is === 'in'
  const known = isListed ? test.values.filter((value) => value !== null) : []
  const none: Bool = sql`not exists (select ${rows})`
  const tested = isListed ? { is: 'in' as const, values: known } : test
  const some: Bool = sql`exists (select ${rows} and (${columnTest(field, tested)}))`
  if (!isListed || known.length === test.values.length) return some
  return known.length === 0 ? none : anyOf([some, none])
}

function leafSql({ target, test, negated }: Leaf): Bool {
  const { field, keys } = target
  const holds = field.through
    ? throughSql(field, test, field.through)
    : field.kind === 'json'
      ? jsonPathTest(field.column, keys, test)
      : columnTest(field, test)
  return negated ? sql`((${holds}) is not true)` : sql`(${holds})`
}
