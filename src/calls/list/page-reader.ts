/**
 * Reads a page of calls and its total (D440). What an index has in order is read from it; what is left of a filter is
 * compared with the newest calls first, until the page is full (call-scan.ts).
 */
import { refuse } from '../../contract/errors.ts'
import type { Total } from '../../filter/cursor.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf, RowsOf } from '../../filter/page.ts'
import type { Database } from '../../store/database.ts'
import { createSearchDeadline, type SearchDeadline } from '../../store/searches.ts'
import { scanPage } from './call-scan.ts'
import { readCountedRange } from './counts/counted-range.ts'
import { countRange, selectEdge } from './counts/totals-store.ts'
import { readFromIndexes } from './index-scan-store.ts'
import { type CallRow, countMatching, isByStart, selectPage } from './list-store.ts'
import {
  costOf,
  countedBy,
  planSearch,
  type SearchPlan,
  type SearchSizes,
  searchSizes,
} from './search-plan.ts'
import { startsFrom } from './start-range.ts'

export async function readCallPage(
  db: Database,
  accountId: number,
  query: PagedQuery,
  sizes: SearchSizes = searchSizes,
): Promise<PageOf<CallRow>> {
  const deadline = createSearchDeadline(db)
  const range = readCountedRange(query.where)
  if (range && query.offset <= sizes.skipped && isByStart(query)) {
    const [page, total] = await Promise.all([
      deadline.within((one) => selectPage(one, accountId, query)),
      query.after?.total ?? deadline.within((one) => countRange(one, accountId, range)),
    ])
    return { ...page, total }
  }
  const order = isByStart(query) ? 'by start' : 'other'
  const plan = await deadline.within((one) => planSearch(one, accountId, query.where, sizes, order))
  if (plan.exact && isByStart(query)) {
    const rows = await deadline.within((one) => readServed(one, accountId, query, { plan, sizes }))
    return { ...rows, total: query.after?.total ?? plan.candidates }
  }
  if (isByStart(query)) {
    if (costOf(plan) > sizes.few) return await readScanned(deadline, accountId, query, { plan, sizes })
  } else if (costOf(plan) > sizes.sorted) {
    throw refuse('SEARCH_TOO_EXPENSIVE')
  }
  const page = await deadline.within((one) => selectPage(one, accountId, query, plan.search))
  const count = () => deadline.within((one) => countMatching(one, accountId, query.where, plan.search))
  return { ...page, ...(totalOf(query, page) ?? { total: plan.exact ? plan.candidates : await count() }) }
}

/** Where the newest calls do not fill the page, and an index has what the filter is about, all of that is read. */
async function readScanned(
  deadline: SearchDeadline,
  accountId: number,
  query: PagedQuery,
  { plan, sizes }: { plan: SearchPlan; sizes: SearchSizes },
): Promise<PageOf<CallRow>> {
  const page = await scanPage(deadline, accountId, query, { plan, window: sizes.window })
  if (page) return page
  const read = await deadline.within((db) => readFromIndexes(db, accountId, query))
  if (!read) throw refuse('SEARCH_TOO_EXPENSIVE')
  return query.after && !query.after.atLeast ? { ...read, total: query.after.total } : read
}

/** A page far behind is read from the nearest stored count on. */
async function readServed(
  db: Database,
  accountId: number,
  query: PagedQuery,
  { plan, sizes }: { plan: SearchPlan; sizes: SearchSizes },
): Promise<RowsOf<CallRow>> {
  const { after, offset } = query
  if (!after && offset >= plan.candidates) return { rows: [], end: undefined }
  const by = countedBy(plan)
  if (offset <= sizes.skipped || !by) {
    return await selectPage(db, accountId, query, plan.search)
  }
  const { from, descending, beyond } = startsFrom(query, plan.range)
  const asked = { ...by, from, descending, calls: offset, atMost: true }
  const edge = await selectEdge(db, accountId, asked)
  if (!edge) return await selectPage(db, accountId, query, plan.search)
  const { where, search } = beyond(edge.at, query.where, plan.search)
  return await selectPage(db, accountId, { ...query, where, offset: offset - edge.calls }, search)
}

/**
 * Known without counting if the list was counted with its first page, or if this is the last page. An empty page proves
 * that only if it is the first.
 */
function totalOf({ after, offset }: PagedQuery, { rows, end }: RowsOf<CallRow>): Total | undefined {
  if (after) return { total: after.total, atLeast: after.atLeast }
  return !end && (rows.length > 0 || offset === 0) ? { total: offset + rows.length } : undefined
}
