/** D301: a whole list, read a page at a time, as it is taken. */
import type { PagedQuery } from './list-query.ts'
import type { RowsOf } from './page.ts'

const pageSize = 250

export async function* allPages<Row>(
  asked: PagedQuery,
  read: (query: PagedQuery) => Promise<RowsOf<Row>>,
): AsyncGenerator<Row[]> {
  let query: PagedQuery = { ...asked, page: 1, offset: asked.leftOut, limit: pageSize }
  for (;;) {
    const { rows, end } = await read(query)
    yield rows
    if (!end) return
    query = { ...query, offset: 0, after: { key: end, total: 0 } }
  }
}
