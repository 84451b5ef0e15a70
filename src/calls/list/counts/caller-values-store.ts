/** SQL of the values that calls of an account have of their callers (D440). */
import { sql } from 'kysely'
import { unprepared } from '../../../store/connection/prepared-statements.ts'
import type { Database } from '../../../store/database.ts'
import { callerShare, countNames } from './call-counts-store.ts'
import { missingStep, type Step } from './missing-step-sql.ts'

/**
 * Call `lockCounts` first. Adds what is missing of about `step` calls, the oldest first, counts it as far as calls are
 * counted, and returns whether there is more. Calls that began after `upTo` are left for another time.
 */
export async function addCallerKeys(tx: Database, work: Step): Promise<boolean> {
  const added = await addStep(tx, work)
  if (!added) return false
  await countAdded(tx, work, added)
  if (added.isComplete) {
    await tx.deleteFrom('caller_values_missing').where('account_id', '=', work.accountId).execute()
  }
  return added.hasMore
}

/** `keys` are those that occur often. */
type Added = { keys: string[]; done: string; hasMore: boolean; isComplete: boolean }

async function addStep(tx: Database, { accountId, step, upTo }: Step): Promise<Added | undefined> {
  const { rows } = await sql<Added>`
    with ${missingStep('caller_values_missing', { accountId, step, upTo })},
    given as materialized (
      select account_id, id, started_at, first_name, last_name, email, caller_number,
        caller_search_keys(account_id, first_name, last_name, email, caller_number) as keys
      from calls
      where account_id = ${accountId} and started_at >= (select done from missing)
        and started_at < (select until from edge)
    ),
    keyed as (
      insert into call_values (key, started_at, call_id)
      select key, started_at, id from given, unnest(keys) as key where key is not null
      on conflict do nothing
    ),
    valued as (
      insert into caller_values (account_id, field, value)
      select distinct account_id, field, value from given, lateral (values ('first_name', first_name),
        ('last_name', last_name), ('email', email), ('caller_number', caller_number)) as one (field, value)
      where value is not null
      on conflict do nothing
    )
    update caller_values_missing set done = greatest(caller_values_missing.done, edge.until) from edge, missing
    where account_id = ${accountId}
    returning edge.until::text as done, edge.has_more as "hasMore",
      missing.settled and not edge.has_more as "isComplete",
      array(select key::text from given, unnest(keys) as key where key is not null
        group by key having count(*) > ${step * callerShare}::float8) as keys
    ${sql.raw(unprepared)}`.execute(tx)
  return rows[0]
}

/** A call that comes late undoes counts up to where all calls are counted: none may reach further. */
async function countAdded(tx: Database, { accountId, step }: Step, { keys, done }: Added) {
  await sql`
    with edge as materialized (select ${done}::timestamptz as until),
    names as (
      select '#' || key as counted, null::text as number, key from unnest(${keys}::bigint[]) as key
      where (select until from edge) <= (
        select max(until) from call_counts where account_id = ${accountId} and counted = '*')
    ),
    ${countNames(accountId, step)}
    select
    ${sql.raw(unprepared)}`.execute(tx)
}

/** Call `lockCounts` first. Deletes the values that no call has any more. */
export async function deleteUnused(tx: Database, accountId: number) {
  await sql`
    delete from caller_values where account_id = ${accountId} and not exists (
      select from call_values
      where key = hashtextextended(value collate "C", hashtextextended(field, hashint8extended(account_id, 1))))
    and not exists (select from caller_values_missing where account_id = ${accountId})
    ${sql.raw(unprepared)}`.execute(tx)
}
