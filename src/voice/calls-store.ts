/** SQL that inserts and finds calls. Plain text where it runs for every call: the query builder would cost more. */
import { CompiledQuery, sql } from 'kysely'
import type { CallStatus, CallType } from '../contract/calls.ts'
import type { Cause } from '../contract/causes.ts'
import type { ExtensionProfile } from '../extensions/profiles-store.ts'
import { wantsType } from '../integrations/listening-sql.ts'
import type { Database } from '../store/database.ts'
import { defineUnnest } from '../store/unnest.ts'

export type NewCall = {
  id: string
  dialerId?: string
  /** Of the extension the call belongs to; copied into the call record. */
  profile: ExtensionProfile
  user: { id: number; uuid: string } | undefined
  type: CallType
  status: CallStatus
  from: string
  to: string
  /** JSON, kept as it is (D12). */
  metadata: string
  startedAt: Date
  node: string
  /** Set for a call that is over as soon as it is stored. */
  end?: { cause: Cause }
}

const newCalls = defineUnnest<NewCall>('given', {
  id: ['uuid', ({ id }) => id],
  account_id: ['bigint', ({ profile }) => profile.accountId],
  dialer_id: ['text', ({ dialerId }) => dialerId ?? null],
  user_id: ['bigint', ({ user }) => user?.id ?? null],
  user_uuid: ['uuid', ({ user }) => user?.uuid ?? null],
  extension_id: ['bigint', ({ profile }) => profile.id],
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
  metadata: ['jsonb', ({ metadata }) => metadata],
  metadata_sent: ['text', ({ metadata }) => (metadata === '{}' ? null : metadata)],
  node: ['text', ({ node }) => node],
})

const insertText = `
  with made as (
    insert into calls (${newCalls.names.join(', ')})
    select * from ${newCalls.text()}
    returning account_id)
  select distinct made.account_id from made
  where ${wantsType('made.account_id', 'channel-create')}`

/**
 * Returns the accounts with a webhook that lists channel-create (D89: more event types): a statement of its own would
 * cost more than the insert.
 */
export async function insertCalls(db: Database, calls: NewCall[]): Promise<Set<number>> {
  const query = CompiledQuery.raw(insertText, newCalls.values(calls))
  const { rows } = await db.executeQuery<{ account_id: number }>(query)
  return new Set(rows.map(({ account_id }) => account_id))
}

/** A live call of the account, by its id or its dialer id (D5: two ids, D13: hanging up). */
export async function findLiveCall(
  db: Database,
  accountId: number,
  key: { id: string } | { dialerId: string },
): Promise<{ id: string; node: string } | undefined> {
  const live = db
    .selectFrom('calls')
    .select(['id', 'node'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
  const named = 'id' in key ? live.where('id', '=', key.id) : live.where('dialer_id', '=', key.dialerId)
  return await named.executeTakeFirst()
}

export const hangUpChannel = 'call_hangups'

/** Asks the node that carries the call, in whichever process. */
export async function notifyHangUp(db: Database, id: string) {
  await sql`select pg_notify(${hangUpChannel}, ${id})`.execute(db)
}
