/** Lists calls and shows single ones. D17: every user of an account sees all its calls. */
import { refuse } from '../../contract/errors.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { isUuid } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import type { Searches } from '../../store/searches.ts'
import type { Caller } from '../../users/caller.ts'
import { readCountedRange } from './counted-range.ts'
import { type CallRow, selectCall, selectPage } from './list-store.ts'
import { searchMetadata } from './metadata-search-store.ts'
import { countCalls } from './totals-store.ts'

type Deps = { db: Database; searches: Searches }

type CallPage = { rows: CallRow[]; total: number }

export function createCallListing({ db, searches }: Deps) {
  async function list({ accountId }: Caller, query: PagedQuery): Promise<CallPage> {
    return await searches.run(accountId, (db) => readPage(db, accountId, query))
  }

  async function find({ accountId }: Caller, id: string): Promise<CallRow> {
    const call = isUuid(id) ? await selectCall(db, accountId, id) : undefined
    if (!call) throw refuse('CALL_NOT_FOUND')
    return call
  }

  return { list, find }
}
export type CallListing = ReturnType<typeof createCallListing>

async function readPage(db: Database, accountId: number, query: PagedQuery): Promise<CallPage> {
  const search = await searchMetadata(db, accountId, query.where)
  const count = () => countCalls(db, accountId, query.where, search)
  if (!search && readCountedRange(query.where)) {
    const [rows, total] = await Promise.all([selectPage(db, accountId, query), count()])
    return { rows, total }
  }
  const rows = await selectPage(db, accountId, query, search)
  return { rows, total: totalOf(query, rows.length) ?? (await count()) }
}

/** Known without counting if the page is not full: then it is the last one. An empty page proves it only if it is the first. */
function totalOf({ offset, limit }: PagedQuery, found: number): number | undefined {
  return found < limit && (found > 0 || offset === 0) ? offset + found : undefined
}
