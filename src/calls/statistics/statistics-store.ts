/** SQL that counts figures ahead. */
import { sql } from 'kysely'
import { unprepared } from '../../store/connection/prepared-statements.ts'
import type { Database } from '../../store/database.ts'
import { bucketMinutes, groupColumns } from './statistics-sql.ts'

/** Origin of the buckets; any whole hour would do. */
const epoch = sql`timestamptz '2000-01-01Z'`

/** Accounts with counted calls (call_counts) that the figures do not contain yet. */
export async function selectWithoutFigures(db: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select accounts.id
    from accounts left join call_figure_ends as figures on account_id = accounts.id,
      lateral (
        select until from call_counts where account_id = accounts.id and counted = '*'
        order by until desc limit 1) as counts
    where figures.until is null or figures.until < counts.until - interval '1 hour'
    order by accounts.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Adding a call that began before the end of the counts takes the same lock (undo_call_counts): it waits, and then
 * undoes the figures. Other calls do not wait.
 */
export async function lockFigures(tx: Database, accountId: number) {
  await sql`select pg_advisory_xact_lock(72642511, hashint8(${accountId}))`.execute(tx)
}

/** Figures of whole hours do not fit if the account has moved to a time zone that needs quarters: they are counted again. */
export async function deleteUnfit(tx: Database, accountId: number) {
  await sql`
    with unfit as (
      delete from call_figure_ends using accounts
      where account_id = ${accountId} and accounts.id = account_id
        and minutes > ${bucketMinutes(sql`accounts.time_zone`)}
      returning account_id)
    delete from call_figures where account_id in (select account_id from unfit)`.execute(tx)
}

/**
 * Call `lockFigures` first. Extends the figures by the buckets of about `step` calls and returns whether there are
 * more. They end before the oldest live call: all calls in them are over, and a call that is over does not change.
 */
export async function extendFigures(tx: Database, accountId: number, step: number): Promise<boolean> {
  const { rows } = await sql<{ more: boolean }>`
    with live as materialized (
      select account_id, started_at from calls where ended_at is null
    ),
    bounds as materialized (
      select coalesce(figures.until, '-infinity') as since, make_interval(mins => coalesce(figures.minutes,
          ${bucketMinutes(sql`accounts.time_zone`)})) as bucket,
        least(counted.until, (select min(started_at) from live where account_id = accounts.id)) as settled
      from accounts left join call_figure_ends as figures on account_id = accounts.id,
        (select max(until) as until from call_counts where account_id = ${accountId} and counted = '*') as counted
      where accounts.id = ${accountId} and counted.until is not null
    ),
    ahead as materialized (
      select started_at from calls
      where account_id = ${accountId} and started_at >= (select since from bounds)
        and started_at < (select settled from bounds)
      order by started_at limit ${step + 1}
    ),
    -- At least the bucket of the first call; all of what is settled if it is not more than a step.
    edge as materialized (
      select bucket, whole_until, case when calls <= ${step} then whole_until
        else least(whole_until, greatest(date_bin(bucket, last, ${epoch}), date_bin(bucket, first, ${epoch}) + bucket))
        end as until
      from (select count(*) as calls, min(started_at) as first, max(started_at) as last from ahead) as found,
        (select bucket, date_bin(bucket, settled, ${epoch}) as whole_until from bounds) as settled
      where first < whole_until
    ),
    moved as (
      insert into call_figure_ends (account_id, until, minutes)
      select ${accountId}, until, extract(epoch from bucket) / 60 from edge
      on conflict (account_id) do update set until = excluded.until
    ),
    added as (
      insert into call_figures (account_id, grouped_by, began_at, name, calls, answered, seconds, cost)
      select ${accountId}, grouped_by, date_bin(edge.bucket, started_at, ${epoch}), name,
        count(*), count(answered_at), sum(duration), coalesce(sum(call_price), 0)
      from edge, calls, lateral (values
        ('total', ${groupColumns.total}),
        ('extension', ${groupColumns.extension}),
        ('user', ${groupColumns.user}),
        ('cause', ${groupColumns.cause}),
        ('direction', ${groupColumns.direction})) as groups (grouped_by, name)
      where account_id = ${accountId} and started_at >= (select since from bounds)
        and started_at < (select until from edge)
      group by 2, 3, 4
    )
    select until < whole_until as more from edge
    ${sql.raw(unprepared)}`.execute(tx)
  return rows[0]?.more ?? false
}
