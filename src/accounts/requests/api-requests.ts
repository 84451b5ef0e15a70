/**
 * D619: the requests of each account, for a week: who sent what, when, and how it was answered, and the call that it was about (D673).
 * Bodies, queries and other ids in paths are not kept.
 *
 * A request only adds to a list in memory; `tick` writes the list in statements of many rows. The list is bounded: what
 * does not fit, because the database is away or an account floods the service, is dropped and counted.
 */
import type { PagedQuery } from '../../filter/list-query.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import { addParts, dropPart, requestsTable, selectOldParts } from '../../store/partitioned-tables.ts'
import type { Searches } from '../../store/searches.ts'
import type { Caller } from '../../users/caller.ts'
import { type ApiRequest, insertRequests, readRequests } from './requests-store.ts'

export type { ApiRequest } from './requests-store.ts'

export const keptDays = 7
export const writeEveryMs = 1_000

const defaultBounds = {
  /** For all accounts together; some MB. */
  waiting: 20_000,
  /** For one account between two writes: one that floods the service must not push the others out. */
  ofAccount: 2_000,
  perStatement: 1_000,
}

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  bounds?: typeof defaultBounds
}

export function createApiRequests({ db, clock, searches, bounds = defaultBounds }: Deps) {
  let waiting: ApiRequest[] = []
  const ofAccount = new Map<number, number>()
  const totals = { written: 0, dropped: 0 }

  /** Costs a request no more than this. */
  function add(request: Omit<ApiRequest, 'at'>) {
    const count = (ofAccount.get(request.accountId) ?? 0) + 1
    if (count > bounds.ofAccount || waiting.length >= bounds.waiting) {
      totals.dropped += 1
      return
    }
    ofAccount.set(request.accountId, count)
    waiting.push({ ...request, at: clock.now() })
  }

  /** Writes what waits. What cannot be written waits for the next tick, as far as it fits. */
  async function tick() {
    const taken = waiting
    waiting = []
    ofAccount.clear()
    for (let first = 0; first < taken.length; first += bounds.perStatement) {
      const some = taken.slice(first, first + bounds.perStatement)
      try {
        await insertRequests(db, some)
        totals.written += some.length
      } catch (error) {
        keep(taken.slice(first))
        throw error
      }
    }
  }

  function keep(unwritten: ApiRequest[]) {
    const all = [...unwritten, ...waiting]
    waiting = all.slice(0, bounds.waiting)
    totals.dropped += all.length - waiting.length
  }

  async function list({ accountId }: Pick<Caller, 'accountId'>, query: PagedQuery) {
    return await searches.run(accountId, (one) => readRequests(one, accountId, query))
  }

  /** Days are dropped whole, by the database's clock. */
  async function sweep() {
    await addParts(db, requestsTable, clock.now())
    for (const part of await selectOldParts(db, requestsTable, keptDays)) {
      if (!(await dropPart(db, requestsTable, part))) return
    }
  }

  return {
    add,
    tick,
    list,
    sweep,
    figures: () => ({
      waiting: waiting.length,
      written_total: totals.written,
      dropped_total: totals.dropped,
    }),
  }
}
export type ApiRequests = ReturnType<typeof createApiRequests>
