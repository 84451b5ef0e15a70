/** SQL that inserts and finds calls. Plain text where it runs for every call: the query builder would cost more. */
import { CompiledQuery, sql } from 'kysely'
import type { DailyCeilings } from '../billing/credit/daily-use.ts'
import { firstAfterReservations, reservingText, type Storing } from '../billing/credit/reserving-sql.ts'
import type { CallStatus, CallType } from '../contract/calls/calls.ts'
import type { Cause } from '../contract/calls/causes.ts'
import type { ExtensionProfile } from '../extensions/profiles-store.ts'
import { wantsType } from '../integrations/listening-sql.ts'
import type { Database } from '../store/database.ts'
import { defineUnnest } from '../store/unnest.ts'
import type { StoredCommand } from './admission/stored-command.ts'

export type NewCall = {
  id: string
  dialerId?: string
  /** Profile of the extension that the call belongs to; copied into the call record. */
  profile: ExtensionProfile
  user: { id: number; uuid: string } | undefined
  /** D149: may ring beside another of the same extension and destination; undefined if not placed over the API. */
  allowsDuplicate?: boolean
  /** D193: of the account; none for calls that are free. */
  ceilings?: DailyCeilings
  /** D272: a service or an emergency number: no credit is needed, and no limit of the account holds. */
  isFree?: boolean
  /** D227: false once nobody waits for the answer: then the call is not stored. */
  isWanted?: () => boolean
  type: CallType
  status: CallStatus
  from: string
  to: string
  /** JSON, kept as it is (D12). */
  metadata: string
  startedAt: Date
  node: string
  /** D282: the call that is transferred to this one's destination. */
  transferOf?: string
  /** D240: for the node, if it is another process than this one, which waits for the first event. */
  handOver?: { origin: string; command: StoredCommand } | undefined
  /** Set for a call that is over as soon as it is stored. It costs nothing. */
  end?: { cause: Cause }
}

const newCalls = defineUnnest<NewCall>('given', {
  id: ['uuid', ({ id }) => id],
  account_id: ['bigint', ({ profile }) => profile.accountId],
  dialer_id: ['text', ({ dialerId }) => dialerId ?? null],
  user_id: ['bigint', ({ user }) => user?.id ?? null],
  user_uuid: ['uuid', ({ user }) => user?.uuid ?? null],
  extension_id: ['bigint', ({ profile }) => profile.id],
  extension_user_uuid: ['uuid', ({ profile }) => profile.ownerUuid],
  transfer_of: ['uuid', ({ transferOf }) => transferOf ?? null],
  allows_duplicate: ['boolean', ({ allowsDuplicate }) => allowsDuplicate ?? null],
  domain: ['text', ({ profile }) => profile.domain],
  call_type: ['text', ({ type }) => type],
  status: ['text', ({ status }) => status],
  from_number: ['text', ({ from }) => from],
  to_number: ['text', ({ to }) => to],
  caller_number: ['text', ({ profile }) => profile.callerNumber],
  first_name: ['text', ({ profile }) => profile.firstName],
  last_name: ['text', ({ profile }) => profile.lastName],
  email: ['text', ({ profile }) => profile.email],
  record: ['boolean', ({ profile }) => profile.recordCalls],
  started_at: ['timestamptz', ({ startedAt }) => startedAt.toISOString()],
  alive_at: ['timestamptz', ({ startedAt }) => startedAt.toISOString()],
  connecting_at: [
    'timestamptz',
    (call) => (call.status === 'connecting' ? call.startedAt.toISOString() : null),
  ],
  ended_at: ['timestamptz', ({ end, startedAt }) => (end ? startedAt.toISOString() : null)],
  hangup_cause: ['text', ({ end }) => end?.cause ?? null],
  ended_by: ['text', ({ end }) => (end ? 'service' : null)],
  minute_price: ['bigint', ({ end }) => (end ? 0 : null)],
  call_price: ['bigint', ({ end }) => (end ? 0 : null)],
  metadata: ['jsonb', ({ metadata }) => metadata],
  metadata_sent: ['text', ({ metadata }) => (metadata === '{}' ? null : metadata)],
  node: ['text', ({ node }) => node],
})

const isLikeGiven = `
  like_it.account_id = given.account_id and like_it.extension_id = given.extension_id
    and like_it.to_number = given.to_number and like_it.allows_duplicate is not null and like_it.ended_at is null`

/** D149: until the destination answers. These are the columns and the condition of the unique index. */
const ringsAlready = `${isLikeGiven} and like_it.answered_at is null`

/** D149: a click that was repeated, though the destination has answered at once. */
const repeatSeconds = 3
const wasJustPlaced = `${isLikeGiven} and like_it.answered_at is not null
    and like_it.started_at > given.started_at - interval '${repeatSeconds} s'`

/** The parameters after those of the calls. */
const firstOfCalls = firstAfterReservations
const free = `$${firstOfCalls + newCalls.names.length}::uuid[]`
const inTransaction = `$${firstOfCalls + newCalls.names.length + 1}::boolean`

/** D89: the event of a new call belongs in the transaction that stores it, for accounts with a webhook that lists it. */
const mayBeStored = (account: string) => `(${inTransaction} or not ${wantsType(account, 'channel-create')})`

/**
 * Places calls: reserves their credit and inserts them, but for those that ring already (D149). One statement, so
 * that no further round trip keeps the balance locked. Sorted, so that two batches with calls in common wait for each other in one order: no deadlock.
 */
const placingText = reservingText({
  insertion: `
    insert into calls (${newCalls.names.join(', ')})
    select * from ${newCalls.text(firstOfCalls)}
    where (given.id in (select call_id from affordable)
        or given.id = any(${free}) and ${mayBeStored('given.account_id')})
      and (given.allows_duplicate is not false
        or not exists (select from calls like_it where ${ringsAlready})
          and not exists (select from calls like_it where ${wasJustPlaced}))
    order by given.account_id, given.extension_id, given.to_number
    on conflict do nothing
    returning id as call_id, ${wantsType('calls.account_id', 'channel-create')} as listened`,
  condition: mayBeStored('room.account_id'),
})

/** For `Credit.reserve`. Outside a transaction, calls of accounts with a webhook for new calls are not stored. */
export function placingCalls(calls: NewCall[], isInTransaction: boolean): Storing {
  const ofNoCredit = calls.filter((call) => !isPayable(call)).map(({ id }) => id)
  return { text: placingText, values: [...newCalls.values(calls), ofNoCredit, isInTransaction] }
}

export function isPayable({ type, end, isFree }: NewCall): boolean {
  return type === 'outbound' && !end && !isFree
}

const ringingText = `
  select given.id, (
    select like_it.id from calls like_it where ${ringsAlready} or ${wasJustPlaced}
    order by like_it.started_at, like_it.id limit 1
  ) as ringing from ${newCalls.text()}`

/** The call that each of these would ring beside, by the id of the new one. */
export async function findRinging(db: Database, calls: NewCall[]): Promise<Map<string, string>> {
  const query = CompiledQuery.raw(ringingText, newCalls.values(calls))
  const { rows } = await db.executeQuery<{ id: string; ringing: string | null }>(query)
  return new Map(rows.flatMap(({ id, ringing }) => (ringing === null ? [] : [[id, ringing]])))
}

/** A call of the account, by its id or its dialer id (D5: two ids, D13: hanging up). */
export async function findCall(db: Database, accountId: number, key: { id: string } | { dialerId: string }) {
  const call = db
    .selectFrom('calls')
    .select(['id', 'node', 'user_id', 'extension_user_uuid', 'answered_at', 'ended_at'])
    .select(['call_type', 'from_number', 'to_number'])
    .where('account_id', '=', accountId)
  const named = 'id' in key ? call.where('id', '=', key.id) : call.where('dialer_id', '=', key.dialerId)
  return await named.executeTakeFirst()
}

/** Records that somebody wants to hang up; the node of the call polls for it. False if the call has ended. */
export async function requestHangUp(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calls')
    .set({ hangup_requested_at: sql<Date>`coalesce(hangup_requested_at, now())` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The same for all live calls of these accounts. Returns how many there were. */
export async function requestHangUps(db: Database, accountIds: number[]): Promise<number> {
  const { rows } = await sql`
    with live as materialized (
      select id from calls
      where ended_at is null and hangup_requested_at is null and account_id = any(${accountIds}::bigint[])
      order by id for update)
    update calls set hangup_requested_at = now() from live where calls.id = live.id returning calls.id`.execute(
    db,
  )
  return rows.length
}

/** Live calls of the node that somebody asked to hang up. */
export async function selectHangUps(db: Database, node: string): Promise<string[]> {
  const rows = await db
    .selectFrom('calls')
    .select('id')
    .where('node', '=', node)
    .where('ended_at', 'is', null)
    .where('hangup_requested_at', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}
