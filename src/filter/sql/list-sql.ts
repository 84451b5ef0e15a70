/** Adds the filter, order and page of a list request to a query. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ListQuery } from '../list-query.ts'
import type { Order } from '../order.ts'
import { inOrder } from './column-sql.ts'
import { scalarText, valueAt } from './json-path-sql.ts'
import { whereSql } from './where-sql.ts'

/** The query must already have the account's own condition. */
export function applyList<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  query: ListQuery,
): SelectQueryBuilder<DB, TB, O> {
  return rows.where(whereSql(query.where)).orderBy(orderSql(query)).limit(query.limit).offset(query.offset)
}

/** The caller's order, with the id as last key so that pages neither repeat nor skip rows (D22). */
function orderSql({ order, id }: ListQuery): RawBuilder<unknown> {
  const keys = order.flatMap(orderKeys)
  if (!order.some(({ target }) => target.field.column === id)) {
    keys.push(directed(sql.ref(id), order.at(-1)?.descending ?? false, false))
  }
  return sql`${sql.join(keys)}`
}

/** At a json path nulls come first, then texts, then numbers by value. */
function orderKeys({ target: { field, keys }, descending }: Order): RawBuilder<unknown>[] {
  if (field.kind !== 'json') return [directed(inOrder(field), descending, field.nullable ?? false)]
  const value = valueAt(field.column, keys)
  const number = sql`(case when jsonb_typeof(${value}) = 'number' then ${value} end)`
  return [number, sql`${scalarText(value)} collate "C"`].map((key) => directed(key, descending, true))
}

function directed(key: RawBuilder<unknown>, descending: boolean, nullable: boolean): RawBuilder<unknown> {
  if (nullable) return descending ? sql`${key} desc nulls last` : sql`${key} asc nulls first`
  return descending ? sql`${key} desc` : sql`${key} asc`
}
