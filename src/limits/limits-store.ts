/** SQL of the limits of accounts, and of whom trial credit was given for. */
import { type Insertable, sql } from 'kysely'
import type { AccountProof } from '../contract/accounts/account-limits.ts'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import { nothingStored, type StoredLimits } from './limit.ts'

export async function readLimits(db: Database, accountId: number): Promise<StoredLimits> {
  const row = await db
    .selectFrom('account_limits')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return nothingStored
  return {
    provenBy: row.proven_by,
    provenAt: row.proven_at,
    callsAtOnce: { extension: row.calls_at_once_extension, account: row.calls_at_once },
    callsPerDay: row.calls_per_day,
    spendingPerDay: row.spending_per_day,
    international: row.international,
    ranges: row.ranges,
  }
}

/** Changes the columns that are given. */
export async function putLimits(tx: Database, row: Insertable<Tables['account_limits']>) {
  const { account_id: _key, ...change } = row
  await tx
    .insertInto('account_limits')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(change))
    .execute()
}

/** Returns whether it is the first proof of the account, which is kept. */
export async function putProof(
  tx: Database,
  accountId: number,
  by: AccountProof,
  at: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('account_limits')
    .values({ account_id: accountId, proven_by: by, proven_at: at })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ proven_by: by, proven_at: at })
        .where('account_limits.proven_by', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False if trial credit was given for one of these persons before; then nothing is stored. */
export async function claimTrial(tx: Database, people: Buffer[], at: Date): Promise<boolean> {
  const { rows } = await sql<{ person: Buffer }>`
    insert into trial_grants (person, granted_at)
    select person, ${at}::timestamptz from (select distinct unnest(${people}::bytea[]) as person) as given
    where not exists (select from trial_grants where person = any(${people}::bytea[]))
    order by person
    on conflict do nothing
    returning person`.execute(tx)
  return rows.length === people.length
}
