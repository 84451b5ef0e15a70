/**
 * Finds calls with some number on either side: the indexes on the calling and on the called number have them in order of
 * their start, so that both are read only until a page is full.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Condition, flatten } from '../../filter/condition.ts'
import { destinationColumn, fromColumn, startColumn } from './call-list.ts'

export type Sides = { from: readonly string[]; to: readonly string[] }

/** More numbers are not merged. */
const maxNumbers = 32

/** Undefined if the condition is any other than one of some numbers on one side, or one on the other side. */
export function readSides(part: Condition): Sides | undefined {
  if (!('any' in part)) return undefined
  const sides = { from: new Set<string>(), to: new Set<string>() }
  for (const one of part.any) {
    if (!('target' in one) || one.negated || one.test.is !== 'in') return undefined
    const { column } = one.target.field
    if (column !== fromColumn && column !== destinationColumn) return undefined
    // No call has null for a number.
    const numbers = one.test.values.filter((number) => number !== null)
    for (const number of numbers) sides[column === fromColumn ? 'from' : 'to'].add(number)
  }
  return sides.from.size + sides.to.size > maxNumbers
    ? undefined
    : { from: [...sides.from], to: [...sides.to] }
}

/** Queries of the start and id of the calls, one for each number on each side. */
export function sideRows(accountId: number, { from, to }: Sides): RawBuilder<unknown>[] {
  const rowsOf = (column: 'from_number' | 'to_number') => (number: string) =>
    sql`select started_at, id as call_id from calls
      where account_id = ${accountId} and ${sql.ref(column)} = ${number}`
  return [...from.map(rowsOf('from_number')), ...to.map(rowsOf('to_number'))]
}

export function onStart(where: Condition): Condition[] {
  return flatten(where).filter((part) => 'target' in part && part.target.field.column === startColumn)
}
