/** SQL of what came of calls, of its changes, and of the outcomes of an account. */
import { sql } from 'kysely'
import type { Outcome } from '../../contract/calls/call-results.ts'
import type { Database } from '../../store/database.ts'
import { type CallSnapshot, snapshotColumns } from '../announcer.ts'
import type { CallResult } from './result.ts'

/** Any fixed number that no other advisory lock of ours begins with. */
const outcomesLock = 72_642_531

/** Changes kept of a call, the newest. */
const maxChanges = 100

export async function selectOutcomes(db: Database, accountId: number): Promise<Outcome[]> {
  return await db
    .selectFrom('call_outcomes')
    .select(['key', 'label'])
    .where('account_id', '=', accountId)
    .orderBy('position')
    .execute()
}

/** In place of those there were. Call it with the account locked. */
export async function replaceOutcomes(tx: Database, accountId: number, outcomes: readonly Outcome[]) {
  await tx.deleteFrom('call_outcomes').where('account_id', '=', accountId).execute()
  if (outcomes.length === 0) return
  const rows = outcomes.map(({ key, label }, position) => ({ account_id: accountId, position, key, label }))
  await tx.insertInto('call_outcomes').values(rows).execute()
}

/** One that sets the outcomes of an account at a time. */
export async function lockOutcomes(tx: Database, accountId: number) {
  await sql`select pg_advisory_xact_lock(${outcomesLock}::int, hashint8(${accountId}))`.execute(tx)
}

/** Locks the call until the transaction ends: its events are written in order. */
export async function lockCall(
  tx: Database,
  accountId: number,
  id: string,
): Promise<CallSnapshot | undefined> {
  const { rows } = await sql<CallSnapshot>`
    select ${sql.raw(snapshotColumns)} from calls
    where calls.id = ${id} and calls.account_id = ${accountId} for no key update`.execute(tx)
  return rows[0]
}

const tagsOf = sql<string[]>`array(
  select tag from call_tags where call_tags.call_id = call_results.call_id order by tag collate "C")`

/** By call; calls without a result are missing. */
export async function selectResults(
  db: Database,
  callIds: readonly string[],
): Promise<Map<string, CallResult & { revision: number }>> {
  if (callIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('call_results')
    .select(['call_id', 'outcome', 'notes', 'revision', tagsOf.as('tags')])
    .where('call_id', '=', sql<string>`any(${callIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ call_id, ...result }) => [call_id, result]))
}

type Change = {
  call: Pick<CallSnapshot, 'id' | 'account_id' | 'started_at'>
  result: CallResult
  revision: number
  at: Date
  user: { uuid: string; name: string }
}

/** Stores the result and the change that made it. Call it with the call locked. */
export async function storeChange(tx: Database, { call, result, revision, at, user }: Change) {
  const { outcome, tags, notes } = result
  await tx
    .insertInto('call_results')
    .values({
      call_id: call.id,
      account_id: call.account_id,
      started_at: call.started_at,
      outcome,
      notes,
      revision,
    })
    .onConflict((conflict) => conflict.column('call_id').doUpdateSet({ outcome, notes, revision }))
    .execute()
  await tx.deleteFrom('call_tags').where('call_id', '=', call.id).execute()
  if (tags.length > 0) {
    const rows = tags.map((tag) => ({ call_id: call.id, tag, account_id: call.account_id }))
    await tx.insertInto('call_tags').values(rows).execute()
  }
  await tx
    .insertInto('call_changes')
    .values({
      call_id: call.id,
      revision,
      at,
      user_uuid: user.uuid,
      user_name: user.name,
      outcome,
      tags: [...tags],
      notes,
    })
    .execute()
  await tx
    .deleteFrom('call_changes')
    .where('call_id', '=', call.id)
    .where('revision', '<=', revision - maxChanges)
    .execute()
}

/** The newest first. */
export async function selectChanges(db: Database, accountId: number, callId: string) {
  return await db
    .selectFrom('call_changes')
    .innerJoin('call_results', 'call_results.call_id', 'call_changes.call_id')
    .select([
      'call_changes.revision',
      'call_changes.at',
      'call_changes.user_uuid',
      'call_changes.user_name',
      'call_changes.outcome',
      'call_changes.tags',
      'call_changes.notes',
    ])
    .where('call_results.account_id', '=', accountId)
    .where('call_changes.call_id', '=', callId)
    .orderBy('call_changes.revision', 'desc')
    .execute()
}
