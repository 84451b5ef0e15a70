/** One page of a list, and how many rows the whole list has. */
import type { SelectQueryBuilder } from 'kysely'
import type { PagedQuery } from '../list-query.ts'
import { applyList } from './list-sql.ts'
import { whereSql } from './where-sql.ts'

/** `list` selects the columns and comes with the account's own condition. */
export async function readPage<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PagedQuery,
): Promise<{ rows: O[]; total: number }> {
  const [rows, { total }] = await Promise.all([
    applyList(list, query).execute(),
    list
      .clearSelect()
      .where(whereSql(query.where))
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}
