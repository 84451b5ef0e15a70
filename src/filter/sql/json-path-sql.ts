/**
 * Writes tests on a path inside a jsonb column as SQL. Paths lead through objects only; an absent value is null.
 * Equality compares texts, so that 42 equals "42" (D28).
 */
import { type RawBuilder, sql } from 'kysely'
import { isStorableNumber } from '../../kit/text/json-text.ts'
import type { Test } from '../condition.ts'
import { anyOf, type Bool, columnSql, comparisons, patternSql } from './test-sql.ts'

type Keys = readonly string[]

export function jsonPathTest(column: string, keys: Keys, test: Test): Bool {
  const value = valueAt(column, keys)
  switch (test.is) {
    case 'in':
      return listed(column, keys, test.values)
    case 'like':
    case 'matches':
      return patternSql(scalarText(value), test)
    case 'within':
    case 'phone':
      throw new Error('JSON has neither times nor phone numbers')
    default: {
      const operator = comparisons[test.is]
      return test.number
        ? sql`jsonb_typeof(${value}) = 'number' and ${value} ${operator} ${test.value}::jsonb`
        : sql`jsonb_typeof(${value}) = 'string' and (${value} #>> '{}') collate "C" ${operator} ${test.value}::text`
    }
  }
}

/** `->` with a text key looks into objects only, where `#>` would also count through arrays. */
export function valueAt(column: string, keys: Keys): RawBuilder<unknown> {
  const steps = keys.map((key) => sql` -> ${key}::text`)
  return sql`(${columnSql(column)}${sql.join(steps, sql``)})`
}

/** The text of a string, number or boolean; of anything else null. */
export function scalarText(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when jsonb_typeof(${value}) in ('string', 'number', 'boolean') then ${value} #>> '{}' end)`
}

/** Equality decides, and is hashed when the list is long; containment says the same to a GIN index. */
function listed(column: string, keys: Keys, values: readonly (string | null)[]): Bool {
  const value = valueAt(column, keys)
  const scalars = values.flatMap((one) => (one === null ? [] : spellings(one)))
  const documents = scalars.map((scalar) => wrap(keys, scalar))
  const parts: Bool[] = []
  if (scalars.length > 0) {
    parts.push(
      sql`(${value} = any(${scalars}::jsonb[]) and ${columnSql(column)} @> any(${documents}::jsonb[]))`,
    )
  }
  if (values.includes(null)) parts.push(sql`coalesce(${value}, 'null') = 'null'`)
  return anyOf(parts)
}

/** The JSON scalars whose text is the value. */
function spellings(value: string): string[] {
  const text = JSON.stringify(value)
  return value === 'true' || value === 'false' || isStorableNumber(value) ? [text, value] : [text]
}

/** Written as text: an object would lose a key named __proto__. */
function wrap(keys: Keys, scalar: string): string {
  return keys.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, scalar)
}
