/**
 * Remembers where the pages of a list ended, for clients that count pages (D134). A page begins where the page before
 * it ended when it was read, so calls that start or end meanwhile move no row from one page to another.
 */
import { fingerprint, type PageEnd } from '../../filter/cursor.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Database } from '../../store/database.ts'
import type { Caller } from '../../users/caller.ts'
import { deleteOldPageEnds, savePageEnd, selectPageEnd } from './page-ends-store.ts'

/** Counted again with every page. */
const rememberedSeconds = 15 * 60

type Deps = { db: Database; clock: Clock }

export function createPageEnds({ db, clock }: Deps) {
  const readingOf = ({ tokenRef }: Caller, query: PagedQuery) => ({
    token: tokenRef,
    query: `${fingerprint(query)} ${query.limit} ${query.leftOut}`,
  })

  /** The query that begins after the last page read before it; a page without one is found by counting rows. */
  async function resume(caller: Caller, query: PagedQuery): Promise<PagedQuery> {
    if (query.page === 1 || query.after) return query
    const end = await selectPageEnd(db, readingOf(caller, query), query.page, clock.now())
    if (!end) return query
    const { page, ...after } = end
    return { ...query, after, offset: (query.page - page - 1) * query.limit }
  }

  async function remember(caller: Caller, query: PagedQuery, end: PageEnd) {
    const until = plusSeconds(clock.now(), rememberedSeconds)
    await savePageEnd(db, readingOf(caller, query), query.page, end, until)
  }

  return { resume, remember, sweep: () => deleteOldPageEnds(db, clock.now()) }
}
