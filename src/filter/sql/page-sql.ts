/** One page of a list, where it ends, and how many rows the whole list has. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { SortKey } from '../cursor.ts'
import type { PagedQuery } from '../list-query.ts'
import type { PageOf, RowsOf } from '../page.ts'
import { applyList } from './list-sql.ts'
import { sortKeySql } from './sort-sql.ts'
import { whereSql } from './where-sql.ts'

/** `list` selects the columns and comes with the account's own condition. */
export async function readPage<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PagedQuery,
): Promise<PageOf<O>> {
  const count = () =>
    list
      .clearSelect()
      .where(whereSql(query.where))
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow()
  const [page, { total }] = await Promise.all([selectRows(list, query), query.after ?? count()])
  return { ...page, total }
}

/** The rows of a page, read with one more, which tells whether the page has a successor. */
export async function selectRows<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PagedQuery,
): Promise<RowsOf<O>> {
  const found = await selectSorted(list, { ...query, limit: query.limit + 1 })
  return cutPage(found, query.limit, found.length > query.limit)
}

export type Sorted<Row> = Row & { sort_key: SortKey }

/** Rows with what they are sorted by. */
export async function selectSorted<DB, TB extends keyof DB, O>(
  list: SelectQueryBuilder<DB, TB, O>,
  query: PagedQuery,
): Promise<Sorted<O>[]> {
  const key: RawBuilder<SortKey> = sortKeySql(query)
  return await applyList(list.select(sql<SortKey>`${key}`.as('sort_key')), query)
    .$castTo<Sorted<O>>()
    .execute()
}

export function cutPage<Row>(found: Sorted<Row>[], limit: number, hasMore: boolean): RowsOf<Row> {
  const shown = found.slice(0, limit)
  const rows = shown.map(({ sort_key: _, ...row }) => row as unknown as Row)
  return { rows, end: hasMore ? shown.at(-1)?.sort_key : undefined }
}
