/** Lists calls and shows single ones. D17: every user of an account sees all its calls. */
import type { Pricing } from '../../billing/tariff/rate.ts'
import { resultFieldNames } from '../../contract/calls/call-results.ts'
import { refuse } from '../../contract/errors.ts'
import { allPages } from '../../filter/all-pages.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf } from '../../filter/page.ts'
import type { Selection } from '../../filter/selection.ts'
import { inOrderOf, type LastChange, type Updates } from '../../filter/updates.ts'
import type { Clock } from '../../kit/clock.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import type { Searches } from '../../store/searches.ts'
import { readChanged } from '../../store/updates-sql.ts'
import type { Caller } from '../../users/caller.ts'
import { type CallResult, noResult } from '../results/result.ts'
import { selectResults } from '../results/results-store.ts'
import { readStats, type StatsQuery, type StatsRow } from '../statistics/answers-store.ts'
import {
  type CallRow,
  selectCall,
  selectChangedCalls,
  selectLiveCalls,
  selectPage,
  selectTransfers,
} from './list-store.ts'
import { createPageEnds } from './page-ends.ts'
import { readCallPage } from './page-reader.ts'
import { laneOf, planSearch } from './search-plan.ts'

type Deps = { db: Database; clock: Clock; searches: Searches }

export function createCallListing({ db, clock, searches }: Deps) {
  const pageEnds = createPageEnds({ db, clock })

  /** D592: with what came of the calls, where the answer shows it. */
  async function list(caller: Caller, asked: PagedQuery): Promise<PageOf<ShownCall>> {
    const { accountId } = caller
    const query = await pageEnds.resume(caller, asked)
    const page = await searches.run(
      accountId,
      (db) => readCallPage(db, accountId, query),
      laneOf(asked.where),
    )
    const { total, atLeast, end } = page
    if (end && !asked.after) await pageEnds.remember(caller, asked, { key: end, total, atLeast })
    return { ...page, rows: await withResults(page.rows, asked.fields) }
  }

  async function withResults(rows: CallRow[], fields: Selection): Promise<ShownCall[]> {
    if (!resultFieldNames.some((name) => fields?.has(name))) return rows
    const results = await selectResults(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, result: results.get(row.id) }))
  }

  /** For the operator: the first rows, without what came of the calls. */
  async function first(accountId: number, query: PagedQuery): Promise<ShownCall[]> {
    return (await searches.run(accountId, (db) => selectPage(db, accountId, query))).rows
  }

  /** For the operator: the calls that are not over. */
  const live = (accountId: number, limit: number): Promise<ShownCall[]> =>
    selectLiveCalls(db, accountId, limit)

  async function find({ accountId }: Caller, id: string) {
    const call = isUuid(id) ? await selectCall(db, accountId, id) : undefined
    if (!call) throw refuse('CALL_NOT_FOUND')
    return {
      ...call,
      pricing: call.pricing as Pricing | null,
      transfers: await selectTransfers(db, accountId, id),
      result: (await selectResults(db, [id])).get(id) ?? noResult,
    }
  }

  /** D301: the whole list. `fields` are those of the file. */
  async function* listAll(
    { accountId }: Caller,
    asked: PagedQuery,
    fields: Selection,
  ): AsyncGenerator<ShownCall[]> {
    const read = async (db: Database, query: PagedQuery) => {
      const { search } = await planSearch(db, accountId, query.where)
      return await selectPage(db, accountId, query, search)
    }
    const pages = allPages(asked, (query) =>
      searches.run(accountId, (db) => read(db, query), laneOf(query.where)),
    )
    for await (const rows of pages) yield await withResults(rows, fields)
  }

  /** D575. */
  async function updated(
    { accountId }: Pick<Caller, 'accountId'>,
    last: LastChange,
    limit: number,
  ): Promise<Updates<ShownCall>> {
    const asked = { accountId, tables: ['calls'], idType: 'uuid', last, limit } as const
    const search = async (db: Database) => {
      const changed = await readChanged(db, asked)
      const ids = changed.rows.map(({ id }) => id)
      const found = await selectChangedCalls(db, [accountId], ids)
      const calls = found.map(({ call }) => call)
      const rows = await withResults(
        inOrderOf(ids, calls, ({ id }) => id),
        new Set(resultFieldNames),
      )
      return { ...changed, rows }
    }
    return await searches.run(accountId, search, 'served')
  }

  /** D302. */
  async function stats(
    { accountId, timeZone }: Caller,
    asked: Omit<StatsQuery, 'accountId' | 'timeZone'>,
  ): Promise<StatsRow[]> {
    return await searches.run(accountId, (db) => readStats(db, { ...asked, accountId, timeZone }))
  }

  return { list, listAll, updated, stats, find, first, live, sweep: pageEnds.sweep }
}
/** `result`: undefined if the answer does not show it, or the call has none. */
export type ShownCall = CallRow & { result?: CallResult | undefined }

export type CallListing = ReturnType<typeof createCallListing>
export type { StatsBy } from '../statistics/answers-store.ts'
export type { StatsGroup } from '../statistics/statistics-sql.ts'
export type CallDetailRow = Awaited<ReturnType<CallListing['find']>>
