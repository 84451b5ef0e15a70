/** Lists calls and shows single ones: those that the caller may see (D17, D599). */
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
import { readOwnStats } from '../statistics/own-figures-store.ts'
import { findOwnCalls } from '../visibility/call-visibility.ts'
import { isOwnCall, type OwnCalls, ownCondition } from '../visibility/own-calls.ts'
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
    const shown = narrowTo(await findOwnCalls(db, caller), asked)
    const query = await pageEnds.resume(caller, shown)
    const page = await searches.run(
      accountId,
      (db) => readCallPage(db, accountId, query),
      laneOf(asked.where),
    )
    const { total, atLeast, end } = page
    if (end && !asked.after) await pageEnds.remember(caller, shown, { key: end, total, atLeast })
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

  async function find(caller: Caller, id: string) {
    const { accountId } = caller
    const own = await findOwnCalls(db, caller)
    const call = isUuid(id) ? await selectCall(db, accountId, id) : undefined
    if (!call || (own && !isOwnCall(own, call))) throw refuse('CALL_NOT_FOUND')
    return {
      ...call,
      pricing: call.pricing as Pricing | null,
      transfers: await selectTransfers(db, accountId, id),
      result: (await selectResults(db, [id])).get(id) ?? noResult,
    }
  }

  /** D301: the whole list. `fields` are those of the file. */
  async function* listAll(caller: Caller, asked: PagedQuery, fields: Selection): AsyncGenerator<ShownCall[]> {
    const { accountId } = caller
    const own = await findOwnCalls(db, caller)
    const read = async (db: Database, query: PagedQuery) => {
      const { search } = await planSearch(db, accountId, query.where)
      return await selectPage(db, accountId, query, search)
    }
    const pages = allPages(narrowTo(own, asked), (query) =>
      searches.run(accountId, (db) => read(db, query), laneOf(asked.where)),
    )
    for await (const rows of pages) yield await withResults(rows, fields)
  }

  /** D575. Calls that the caller may not see are left out of a page, which is then shorter. */
  async function updated(caller: Caller, last: LastChange, limit: number): Promise<Updates<ShownCall>> {
    const own = await findOwnCalls(db, caller)
    return await readUpdated(caller.accountId, last, limit, (call) => !own || isOwnCall(own, call))
  }

  /** For files of the account, which are not made for one of its users. */
  const updatedOfAccount = (accountId: number, last: LastChange, limit: number) =>
    readUpdated(accountId, last, limit, () => true)

  async function readUpdated(
    accountId: number,
    last: LastChange,
    limit: number,
    isShown: (call: CallRow) => boolean,
  ): Promise<Updates<ShownCall>> {
    const asked = { accountId, tables: ['calls'], idType: 'uuid', last, limit } as const
    const search = async (db: Database) => {
      const changed = await readChanged(db, asked)
      const ids = changed.rows.map(({ id }) => id)
      const found = await selectChangedCalls(db, [accountId], ids)
      const calls = found.map(({ call }) => call).filter(isShown)
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
    caller: Caller,
    asked: Omit<StatsQuery, 'accountId' | 'timeZone'>,
  ): Promise<StatsRow[]> {
    const { accountId, timeZone } = caller
    const own = await findOwnCalls(db, caller)
    if (!own) return await statsOfAccount({ accountId, timeZone }, asked)
    return await searches.run(accountId, (db) => readOwnStats(db, { ...asked, accountId, timeZone }, own))
  }

  /** Counts all calls of the account, as ADMINs see them. */
  const statsOfAccount = (
    { accountId, timeZone }: Pick<StatsQuery, 'accountId' | 'timeZone'>,
    asked: Omit<StatsQuery, 'accountId' | 'timeZone'>,
  ): Promise<StatsRow[]> => searches.run(accountId, (db) => readStats(db, { ...asked, accountId, timeZone }))

  /** For what belongs to a call, such as its recording. */
  async function isVisible(caller: Caller, id: string): Promise<boolean> {
    const own = await findOwnCalls(db, caller)
    if (!own) return true
    const call = isUuid(id) ? await selectCall(db, caller.accountId, id) : undefined
    return call !== undefined && isOwnCall(own, call)
  }

  return {
    list,
    listAll,
    updated,
    updatedOfAccount,
    stats,
    statsOfAccount,
    find,
    first,
    live,
    isVisible,
    sweep: pageEnds.sweep,
  }
}

/** The condition on own calls first: its search is one of the few that are planned. */
function narrowTo(own: OwnCalls | undefined, asked: PagedQuery): PagedQuery {
  return own ? { ...asked, where: { all: [ownCondition(own), asked.where] } } : asked
}

/** `result`: undefined if the answer does not show it, or the call has none. */
export type ShownCall = CallRow & { result?: CallResult | undefined }

export type CallListing = ReturnType<typeof createCallListing>
export type { StatsBy, StatsGroup } from '../statistics/statistics-sql.ts'
export type CallDetailRow = Awaited<ReturnType<CallListing['find']>>
