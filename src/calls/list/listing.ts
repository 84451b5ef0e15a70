/** Lists calls and shows single ones. D17: every user of an account sees all its calls. */
import type { Pricing } from '../../billing/tariff/rate.ts'
import { refuse } from '../../contract/errors.ts'
import { allPages } from '../../filter/all-pages.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf } from '../../filter/page.ts'
import type { Clock } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import { createSearchDeadline, type Searches } from '../../store/searches.ts'
import type { Caller } from '../../users/caller.ts'
import { readStats, type StatsQuery, type StatsRow } from '../figures/stats-store.ts'
import { readCountedRange } from './counted-range.ts'
import { type CallRow, selectCall, selectPage, selectTransfers } from './list-store.ts'
import { searchMetadata } from './metadata-search-store.ts'
import { createPageEnds } from './page-ends.ts'
import { countCalls } from './totals-store.ts'

type Deps = { db: Database; clock: Clock; searches: Searches }

export function createCallListing({ db, clock, searches }: Deps) {
  const pageEnds = createPageEnds({ db, clock })

  async function list(caller: Caller, asked: PagedQuery): Promise<PageOf<CallRow>> {
    const { accountId } = caller
    const query = await pageEnds.resume(caller, asked)
    const page = await searches.run(accountId, (db) => readPage(db, accountId, query))
    const { total, end } = page
    if (end && !asked.after) await pageEnds.remember(caller, asked, { key: end, total })
    return page
  }

  async function find({ accountId }: Caller, id: string) {
    const call = isUuid(id) ? await selectCall(db, accountId, id) : undefined
    if (!call) throw refuse('CALL_NOT_FOUND')
    return {
      ...call,
      pricing: call.pricing as Pricing | null,
      transfers: await selectTransfers(db, accountId, id),
    }
  }

  /** D301: the whole list. */
  function listAll({ accountId }: Caller, asked: PagedQuery): AsyncGenerator<CallRow[]> {
    return allPages(asked, (query) =>
      searches.run(accountId, async (db) =>
        selectPage(db, accountId, query, await searchMetadata(db, accountId, query.where)),
      ),
    )
  }

  /** D302. */
  async function stats(
    { accountId, timeZone }: Caller,
    asked: Omit<StatsQuery, 'accountId' | 'timeZone'>,
  ): Promise<StatsRow[]> {
    return await searches.run(accountId, (db) => readStats(db, { ...asked, accountId, timeZone }))
  }

  return { list, listAll, stats, find, sweep: pageEnds.sweep }
}
export type CallListing = ReturnType<typeof createCallListing>
export type { StatsGroup } from '../figures/figures-sql.ts'
export type { StatsBy } from '../figures/stats-store.ts'
export type CallDetailRow = Awaited<ReturnType<CallListing['find']>>

async function readPage(db: Database, accountId: number, query: PagedQuery): Promise<PageOf<CallRow>> {
  const withinDeadline = createSearchDeadline(db)
  const search = await searchMetadata(db, accountId, query.where)
  const readRows = () => withinDeadline((one) => selectPage(one, accountId, query, search))
  const count = () => withinDeadline((one) => countCalls(one, accountId, query.where, search))
  if (!query.after && !search && readCountedRange(query.where)) {
    const [page, total] = await Promise.all([readRows(), count()])
    return { ...page, total }
  }
  const page = await readRows()
  return { ...page, total: totalOf(query, page) ?? (await count()) }
}

/**
 * Known without counting if the list was counted with its first page, or if this is the last page. An empty page proves
 * that only if it is the first.
 */
function totalOf(
  { after, offset }: PagedQuery,
  { rows, end }: Omit<PageOf<CallRow>, 'total'>,
): number | undefined {
  if (after) return after.total
  return !end && (rows.length > 0 || offset === 0) ? offset + rows.length : undefined
}
