/** SQL of the calls of all accounts, for the operator. The index of live calls has the live ones, and no other call. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { containing } from '../../store/like-pattern.ts'
import { shownStatus } from './list-store.ts'

type LiveSearch = {
  /** A part of the domain, or of a number on either side. */
  text: string
  limit: number
  offset: number
}

/** The newest first. */
export async function searchLiveCalls(db: Database, { text, limit, offset }: LiveSearch) {
  const pattern = containing(text)
  const live = db
    .selectFrom('calls')
    .where('ended_at', 'is', null)
    .where((call) =>
      call.or(
        (['domain', 'from_number', 'to_number'] as const).map((column) => call(column, 'ilike', pattern)),
      ),
    )
  const [rows, { total }] = await Promise.all([
    live
      .select(['id', 'domain', 'call_type', 'from_number', 'to_number', 'started_at', 'answered_at', 'node'])
      .select(shownStatus.as('shown_status'))
      .orderBy('started_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute(),
    live.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

/** A call of any account; undefined if there is no such call, or it is over. */
export async function findLiveCall(db: Database, id: string) {
  return await db
    .selectFrom('calls')
    .select(['id', 'node', 'account_id'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** A call of any account, live or over. */
export async function findAnyCall(db: Database, id: string) {
  return await db
    .selectFrom('calls')
    .select(['id', 'domain', 'call_type', 'from_number', 'to_number', 'started_at', 'ended_at'])
    .select(shownStatus.as('shown_status'))
    .where('id', '=', id)
    .executeTakeFirst()
}
