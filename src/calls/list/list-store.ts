import { sql } from 'kysely'
import type { shownStatuses } from '../../contract/calls/call-record.ts'
import { type Condition, flatten } from '../../filter/condition.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { applyList } from '../../filter/sql/list-sql.ts'
import { cutPage, type Sorted, selectSorted } from '../../filter/sql/page-sql.ts'
import { afterSql } from '../../filter/sql/sort-sql.ts'
import { whereSql } from '../../filter/sql/where-sql.ts'
import type { Database } from '../../store/database.ts'
import { idColumn, startColumn } from './call-list.ts'
import { type FoundOrder, foundCalls, type KeySearch } from './key-search-store.ts'
import { leafOf } from './start-range.ts'

const columns = [
  'calls.id',
  'calls.domain',
  'calls.call_type',
  'calls.shown_status',
  'calls.started_at',
  'calls.answered_at',
  'calls.ended_at',
  'calls.from_number',
  'calls.to_number',
  'calls.duration',
  'calls.hangup_cause',
  'calls.recording',
  'calls.link_version',
  'calls.email',
  'calls.first_name',
  'calls.last_name',
  'calls.caller_number',
  'calls.user_uuid',
  'calls.extension_user_uuid',
  'calls.minute_price',
  'calls.call_price',
  'calls.ended_by',
  sql<string>`coalesce(calls.metadata_sent, calls.metadata::text)`.as('metadata'),
] as const

const transferColumns = ['calls.transfer_of', 'calls.transferred_at'] as const

/** D14: the status that the API shows, by which calls are also searched and sorted. */
export const shownStatus = sql<
  (typeof shownStatuses)[number]
>`case calls.status when 'connecting' then 'ringing' else calls.status end`

/** Calls of the account. PostgreSQL flattens the inner query, so the indexes are used. */
function callsOf(db: Database, accountId: number) {
  return db.selectFrom((outer) =>
    outer
      .selectFrom('calls')
      .selectAll('calls')
      .select(shownStatus.as('shown_status'))
      .where('calls.account_id', '=', accountId)
      .as('calls'),
  )
}

/** Calls with one of the keys, in the order of the keys. `offset 0` keeps the planner from reordering the look-ups. */
function callsFound(db: Database, accountId: number, search: KeySearch, order?: FoundOrder) {
  return db
    .selectFrom(foundCalls(search, order))
    .innerJoinLateral(
      (outer) =>
        outer
          .selectFrom('calls')
          .selectAll('calls')
          .select(shownStatus.as('shown_status'))
          .where('calls.account_id', '=', accountId)
          .whereRef('calls.id', '=', 'found.call_id')
          .offset(0)
          .as('calls'),
      (join) => join.onTrue(),
    )
    .where(sql<boolean>`(found.sure or ${whereSql(search.asked)})`)
}

export type CallRow = Awaited<ReturnType<typeof selectPage>>['rows'][number]

/** D641: `transfer_of` is the call that was transferred to it, once the two are connected at `transferred_at`. */
export type LiveCallRow = CallRow & { transfer_of: string | null; transferred_at: Date | null }

export async function selectPage(db: Database, accountId: number, query: PagedQuery, search?: KeySearch) {
  const found = await selectFound(db, accountId, { ...query, limit: query.limit + 1 }, search)
  return cutPage(found, query.limit, found.length > query.limit)
}

/** Rows with what they are sorted by. */
export async function selectFound(db: Database, accountId: number, query: PagedQuery, search?: KeySearch) {
  if (!search) {
    const asked = query.offset > 0 ? await skipCalls(db, accountId, query) : query
    return await selectSorted(callsOf(db, accountId).select(columns), asked)
  }
  const { rest } = search
  if (!isByStart(query)) {
    return await selectSorted(callsFound(db, accountId, search).select(columns), { ...query, where: rest })
  }
  // Sorted by the start and id stored with the keys, which an index has in order already.
  const sorted = sortedBy(query, 'found.started_at', 'found.call_id')
  const found = callsFound(db, accountId, search, foundOrder(query, search)).select(columns)
  return await selectSorted(found, { ...sorted, where: rest })
}
export type FoundCall = Sorted<CallRow>

/** Names the calls behind those that are skipped: so these need not be read, if an index has what is asked for. */
async function skipCalls(db: Database, accountId: number, query: PagedQuery): Promise<PagedQuery> {
  const found = await applyList(callsOf(db, accountId).select('calls.id'), query).execute()
  const where = leafOf(idColumn, { is: 'in', values: found.map(({ id }) => id) })
  return { ...query, where, offset: 0, after: undefined }
}

/** D22: by the start and, as always, the id. */
export function isByStart({ order: [first, second] }: PagedQuery): boolean {
  return first?.target.field.column === startColumn && !second
}

export function sortedBy(query: PagedQuery, column: string, id: string): PagedQuery {
  const order = query.order.map((one) => ({
    ...one,
    target: { ...one.target, field: { ...one.target.field, column } },
  }))
  return { ...query, order, id }
}

function foundOrder(query: PagedQuery, { rest }: KeySearch): FoundOrder {
  const descending = query.order[0]?.descending ?? false
  const onlyStart = flatten(rest).every(
    (part) => 'target' in part && part.target.field.column === startColumn,
  )
  if (!onlyStart) return { descending }
  const beside = sortedBy(query, 'call_values.started_at', 'call_values.call_id')
  const after = query.after ? afterSql(beside, query.after.key) : sql`true`
  return { descending, most: { calls: query.offset + query.limit, after } }
}

/** Calls that are not over, the oldest first. */
export async function selectLiveCalls(
  db: Database,
  accountId: number,
  limit: number,
): Promise<LiveCallRow[]> {
  return await callsOf(db, accountId)
    .select(columns)
    .select(transferColumns)
    .where('calls.ended_at', 'is', null)
    .orderBy('calls.started_at')
    .limit(limit)
    .execute()
}

/** Those of the named calls that are calls of these accounts. */
export async function selectChangedCalls(
  db: Database,
  accountIds: number[],
  ids: string[],
): Promise<{ accountId: number; call: LiveCallRow }[]> {
  const rows = await db
    .selectFrom('calls')
    .select([...columns.filter((column) => column !== 'calls.shown_status'), 'calls.account_id'])
    .select(transferColumns)
    .select(shownStatus.as('shown_status'))
    .where('calls.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('calls.account_id', 'in', accountIds)
    .orderBy('calls.started_at')
    .execute()
  return rows.map(({ account_id, ...call }) => ({ accountId: account_id, call }))
}

/** Reads the calls that may match. */
export async function countMatching(
  db: Database,
  accountId: number,
  where: Condition,
  search?: KeySearch,
): Promise<number> {
  const calls = search
    ? callsFound(db, accountId, search).where(whereSql(search.rest))
    : callsOf(db, accountId).where(whereSql(where))
  const { total } = await calls
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** No further than `most`. */
export async function countUpTo(
  db: Database,
  accountId: number,
  where: Condition,
  most: number,
): Promise<number> {
  const { total } = await db
    .selectFrom(callsOf(db, accountId).where(whereSql(where)).select('calls.id').limit(most).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** With what only the record of a single call shows. */
export async function selectCall(db: Database, accountId: number, id: string) {
  const call = callsOf(db, accountId)
    .select(columns)
    .select(['calls.ringing_at', 'calls.connecting_at', 'calls.pricing', 'calls.keys', 'calls.quality'])
    .select(transferColumns)
    .where('calls.id', '=', id)
  return await call.executeTakeFirst()
}

/** D282: the calls that this one was transferred to. */
export async function selectTransfers(db: Database, accountId: number, id: string) {
  return await db
    .selectFrom('calls')
    .select(['id', 'to_number', 'transferred_at'])
    .where('account_id', '=', accountId)
    .where('transfer_of', '=', id)
    .where('transferred_at', 'is not', null)
    .orderBy('transferred_at')
    .orderBy('id')
    .execute()
}
