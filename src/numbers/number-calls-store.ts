/** SQL of the calls that verify numbers. */
import { sql } from 'kysely'
import type { CodeCallOutcome } from '../contract/accounts/numbers.ts'
import type { Database } from '../store/database.ts'

/** Any fixed number that no other advisory lock of ours begins with. */
const callsLock = 72_642_521

export type NumberCall = { id: string; accountId: number; number: string }

type Count = { calls: number; oldest: Date | null }

export type CallCounts = { ofAccount: Count; toNumber: Count & { newest: Date | null }; hasLive: boolean }

/** Until the transaction ends, no other call of the account is counted or made. */
export async function lockNumberCalls(tx: Database, accountId: number) {
  await sql`select pg_advisory_xact_lock(${callsLock}::int, hashint8(${accountId}))`.execute(tx)
}

/** `since`: calls before it do not count; `liveSince`: calls before it are over, whatever their row says. */
export async function countNumberCalls(
  tx: Database,
  { accountId, number }: Omit<NumberCall, 'id'>,
  { since, liveSince }: { since: Date; liveSince: Date },
): Promise<CallCounts> {
  const { rows } = await sql<{
    of_account: number
    oldest_of_account: Date | null
    to_number: number
    oldest_to_number: Date | null
    newest_to_number: Date | null
    has_live: boolean
  }>`
    select count(*) filter (where account_id = ${accountId})::int as of_account,
      min(started_at) filter (where account_id = ${accountId}) as oldest_of_account,
      count(*) filter (where number = ${number})::int as to_number,
      min(started_at) filter (where number = ${number}) as oldest_to_number,
      max(started_at) filter (where number = ${number}) as newest_to_number,
      coalesce(bool_or(account_id = ${accountId} and ended_at is null and started_at > ${liveSince}), false) as has_live
    from number_calls
    where started_at > ${since} and (account_id = ${accountId} or number = ${number})`.execute(tx)
  const [row] = rows
  return {
    ofAccount: { calls: row?.of_account ?? 0, oldest: row?.oldest_of_account ?? null },
    toNumber: {
      calls: row?.to_number ?? 0,
      oldest: row?.oldest_to_number ?? null,
      newest: row?.newest_to_number ?? null,
    },
    hasLive: row?.has_live ?? false,
  }
}

export async function insertNumberCall(tx: Database, { id, accountId, number }: NumberCall, now: Date) {
  await tx.insertInto('number_calls').values({ id, account_id: accountId, number, started_at: now }).execute()
}

/** Whether the account still claims the number. */
export async function hasClaim(tx: Database, { accountId, number }: NumberCall): Promise<boolean> {
  const row = await tx
    .selectFrom('numbers')
    .select('id')
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row !== undefined
}

/** False if it was over already. */
export async function endNumberCall(tx: Database, id: string, outcome: CodeCallOutcome, now: Date) {
  const row = await tx
    .updateTable('number_calls')
    .set({ ended_at: now, outcome })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends calls whose process died, and returns them. */
export async function endLostCalls(
  tx: Database,
  { now, startedBefore, max }: { now: Date; startedBefore: Date; max: number },
): Promise<NumberCall[]> {
  const { rows } = await sql<NumberCall>`
    update number_calls set ended_at = ${now}, outcome = 'lost'
    where id in (
      select id from number_calls where ended_at is null and started_at < ${startedBefore}
      order by id limit ${max} for update skip locked)
    returning id, account_id as "accountId", number`.execute(tx)
  return rows
}

export async function deleteNumberCalls(db: Database, before: Date) {
  await db
    .deleteFrom('number_calls')
    .where('started_at', '<', before)
    .where('ended_at', 'is not', null)
    .execute()
}
