/** Adds the filter, order (sort-sql.ts) and page of a list request to a query. */
import type { SelectQueryBuilder } from 'kysely'
import type { ListQuery } from '../list-query.ts'
import { afterSql, orderSql } from './sort-sql.ts'
import { whereSql } from './where-sql.ts'

/** The query must already have the account's own condition. */
export function applyList<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  query: ListQuery,
): SelectQueryBuilder<DB, TB, O> {
  const { where, after, limit, offset } = query
  const found = rows.where(whereSql(where)).orderBy(orderSql(query)).limit(limit).offset(offset)
  return after ? found.where(afterSql(query, after.key)) : found
}
