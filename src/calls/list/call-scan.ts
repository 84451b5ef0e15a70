/**
 * Compares a filter with calls that no index tells apart (D441): in order of their start, some thousand at first, then
 * more at a time, until a page is full. The total is then a lower bound. A search that would take longer than it may is
 * given up as soon as that is clear.
 */
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf } from '../../filter/page.ts'
import { cutPage } from '../../filter/sql/page-sql.ts'
import { type SearchDeadline, searchTimeoutMs } from '../../store/searches.ts'
import { countRange, selectEdge } from './counts/totals-store.ts'
import { type CallRow, countMatching, type FoundCall, selectFound } from './list-store.ts'
import { costOfOne, type SearchPlan } from './search-plan.ts'
import { startsFrom } from './start-range.ts'

/** Factor from one window to the next. */
const growth = 4
/** From so many times the first window on, calls show how often the filter matches. */
const sample = 5
/** Half of what a search may take: one that is estimated wrongly still ends in time. */
export const maxScanMs = searchTimeoutMs / 2

type Window = Pick<PagedQuery, 'where'> & Pick<SearchPlan, 'search'>

/** Undefined if that would take too long, or longer than another way to find the calls. */
export async function scanPage(
  deadline: SearchDeadline,
  accountId: number,
  query: PagedQuery,
  { plan, window: first, insteadMs }: { plan: SearchPlan; window: number; insteadMs: number | undefined },
): Promise<PageOf<CallRow> | undefined> {
  const { limit } = query
  const read = (one: Window, offset: number, most: number) =>
    deadline.within((db) =>
      selectFound(db, accountId, { ...query, where: one.where, offset, limit: most }, one.search),
    )
  const count = (one: Window) => deadline.within((db) => countMatching(db, accountId, one.where, one.search))

  const found: FoundCall[] = []
  let skip = query.offset
  let examined = 0
  for await (const { window, calls, isLast } of windowsOf(deadline, accountId, query, { plan, first })) {
    const began = deadline.spentMs()
    const some = await read(window, skip, limit + 1 - found.length)
    found.push(...some)
    const passed = some.length > 0 || skip === 0 ? skip : Math.min(skip, await count(window))
    skip -= passed
    examined += calls
    if (found.length >= limit && !(isLast && found.length === limit)) return lowerBound(query, found)
    if (isLast) return exactly(query, found, skip)
    const progress = {
      examined,
      matches: query.offset - skip + found.length,
      msPerCall: (deadline.spentMs() - began) / calls,
      leftMs: Math.min(insteadMs ?? maxScanMs, maxScanMs - deadline.spentMs()),
    }
    const isSample = insteadMs !== undefined || examined * costOfOne(plan) >= sample * first
    if (isSample && isHopeless(progress, query, plan)) return undefined
  }
  throw new Error('the last window ends the scan')
}

/** Ranges of starts that follow each other, by counts that are stored. */
async function* windowsOf(
  deadline: SearchDeadline,
  accountId: number,
  query: PagedQuery,
  { plan, first }: { plan: SearchPlan; first: number },
): AsyncGenerator<{ window: Window; calls: number; isLast: boolean }> {
  const starts = startsFrom(query, plan.range)
  const counted = query.after ? undefined : plan.among
  const all = counted ?? (await deadline.within((db) => countRange(db, accountId, starts.range)))
  /** How many calls are looked at for one that the index finds. */
  const spread = all / plan.candidates
  let left = all
  let rest: Window = { where: query.where, search: plan.search }
  let { from } = starts
  for (let size = first / costOfOne(plan); ; size *= growth) {
    const wanted = Math.ceil(size * spread)
    const edge =
      left > wanted &&
      (await deadline.within((db) =>
        selectEdge(db, accountId, {
          counted: undefined,
          from,
          descending: starts.descending,
          calls: wanted,
          atMost: false,
        }),
      ))
    if (!edge || edge.calls >= left) {
      yield { window: rest, calls: left / spread, isLast: true }
      return
    }
    yield {
      window: starts.upTo(edge.at, rest.where, rest.search),
      calls: edge.calls / spread,
      isLast: false,
    }
    left -= edge.calls
    from = edge.at
    rest = starts.beyond(edge.at, rest.where, rest.search)
  }
}

type Progress = { examined: number; matches: number; msPerCall: number; leftMs: number }

/** At the rate so far, the page would not be full in time. */
function isHopeless(
  { examined, matches, msPerCall, leftMs }: Progress,
  { offset, limit }: PagedQuery,
  { candidates }: SearchPlan,
): boolean {
  const left = Math.max(0, candidates - examined)
  const needed = matches === 0 ? left : Math.min(left, (examined * (offset + limit - matches)) / matches)
  return msPerCall * needed > leftMs
}

function lowerBound(query: PagedQuery, found: FoundCall[]): PageOf<CallRow> {
  const { after, limit } = query
  const total = Math.max(after?.total ?? 0, callsBefore(query) + found.length)
  return { ...cutPage<CallRow>(found, limit, true), total, atLeast: true }
}

/** `skip`: matching calls were fewer than those to leave out. */
function exactly(query: PagedQuery, found: FoundCall[], skip: number): PageOf<CallRow> {
  const page = cutPage<CallRow>(found, query.limit, false)
  const total = callsBefore(query) - skip + found.length
  const { after } = query
  // A cursor may have been read with pages of another size.
  return after && after.total > total ? { ...page, ...after } : { ...page, total }
}

export const callsBefore = ({ after, offset, page, leftOut, limit }: PagedQuery) =>
  after ? leftOut + (page - 1) * limit : offset
