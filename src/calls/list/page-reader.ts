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
import { callsBefore, scanPage } from './call-scan.ts'
import { everything, readCountedRange } from './counts/counted-range.ts'
import { countRange, selectEdge } from './counts/totals-store.ts'
import { estimateMs, readFromIndexes, readIndexSearch } from './index-scan-store.ts'
import { type CallRow, countMatching, isByStart, selectPage } from './list-store.ts'
import { withKnownNumbers } from './number-search-store.ts'
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
  asked: PagedQuery,
  sizes: SearchSizes = searchSizes,
  deadline: SearchDeadline = createSearchDeadline(db),
): Promise<PageOf<CallRow>> {
  const query = await deadline.within((one) => withKnownNumbers(one, accountId, asked))
  if (!isByStart(query)) return await readSorted(deadline, accountId, query, sizes)
  const range = readCountedRange(query.where)
  if (range && query.offset <= sizes.skipped) {
    const [page, total] = await Promise.all([
      deadline.within((one) => selectPage(one, accountId, query)),
      query.after?.total ?? deadline.within((one) => countRange(one, accountId, range)),
    ])
    return { ...page, total }
  }
  const plan = await deadline.within((one) => planSearch(one, accountId, query.where, sizes))
  if (plan.exact) {
    const rows = await deadline.within((one) => readServed(one, accountId, query, { plan, sizes }))
    const isPastEnd = query.offset > 0 && rows.rows.length === 0
    const known = totalOf(query, rows, plan.atLeast && isPastEnd ? undefined : plan)
    return { ...rows, ...(known ?? (await countExactly(deadline, accountId, query, plan))) }
  }
  if (costOf(plan) > sizes.few) return await readScanned(deadline, accountId, query, { plan, sizes })
  return await readAll(deadline, accountId, query, plan)
}

/** By what no index has in order. */
async function readSorted(
  deadline: SearchDeadline,
  accountId: number,
  query: PagedQuery,
  sizes: SearchSizes,
): Promise<PageOf<CallRow>> {
  const plan = await deadline.within((db) => planSearch(db, accountId, query.where, sizes, 'other'))
  if (costOf(plan) > sizes.sorted) throw refuse('SEARCH_TOO_EXPENSIVE')
  return await readAll(deadline, accountId, query, plan)
}

async function readAll(
  deadline: SearchDeadline,
  accountId: number,
  query: PagedQuery,
  plan: SearchPlan,
): Promise<PageOf<CallRow>> {
  const page = await deadline.within((db) => selectPage(db, accountId, query, plan.search))
  const known = totalOf(query, page, plan.exact && !plan.atLeast ? plan : undefined)
  if (known) return { ...page, ...known }
  return { ...page, ...(await countExactly(deadline, accountId, query, plan)) }
}

async function countExactly(
  deadline: SearchDeadline,
  accountId: number,
  { where }: PagedQuery,
  { search }: SearchPlan,
): Promise<Total> {
  return { total: await deadline.within((db) => countMatching(db, accountId, where, search)) }
}

/** Where the newest calls do not fill the page, and an index has what the filter is about, that is read. */
async function readScanned(
  deadline: SearchDeadline,
  accountId: number,
  query: PagedQuery,
  { plan, sizes }: { plan: SearchPlan; sizes: SearchSizes },
): Promise<PageOf<CallRow>> {
  const search = readIndexSearch(query.where)
  // The indexes on numbers have the calls of all time.
  const calls = search ? await deadline.within((db) => countRange(db, accountId, everything)) : 0
  const insteadMs = search && estimateMs(search, calls)
  const page = await scanPage(deadline, accountId, query, { plan, window: sizes.window, insteadMs })
  if (page) return page
  const read =
    search && (await deadline.within((db) => readFromIndexes(db, accountId, query, { search, calls })))
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
  if (!after && !plan.atLeast && offset >= plan.candidates) return { rows: [], end: undefined }
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
 * Known without counting if the list was counted with its first page, if this is the last page, or if the plan has it. An
 * empty page proves that only if it is the first.
 */
function totalOf(query: PagedQuery, { rows, end }: RowsOf<CallRow>, plan?: SearchPlan): Total | undefined {
  const { after } = query
  const shown = callsBefore(query) + rows.length
  if (after && !after.atLeast) return { total: after.total }
  if (!end && (rows.length > 0 || shown === 0) && !(after && after.total > shown)) return { total: shown }
  if (after) return { total: Math.max(after.total, shown), atLeast: true }
  return (
    plan && {
      total: plan.atLeast ? Math.max(plan.candidates, shown) : plan.candidates,
      atLeast: plan.atLeast,
    }
  )
}
