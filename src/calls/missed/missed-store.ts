/** SQL of missed calls. They have an index of their own, so that the other calls, which are most, are not read. */
import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../../store/connection/prepared-statements.ts'
import type { Database } from '../../store/database.ts'
import type { OwnCalls } from '../visibility/own-calls.ts'

export type MissedRow = {
  number: string
  calls: number
  first_at: Date
  last_at: Date
  last_call_id: string
  extension: string
  how: 'called_back' | 'answered' | 'marked' | null
  done_at: Date | null
  name: string | null
  user_uuid: string | null
  call_id: string | null
  answered: boolean | null
}

type Asked = {
  accountId: number
  /** Extensions whose calls are looked at. */
  numbers: readonly string[]
  since: Date
  own: OwnCalls | undefined
  /** D676: how many calls are looked at, the newest first. */
  limit: number
}

/** D676 */
export function newestMissed({ accountId, numbers, since, own, limit }: Asked): RawBuilder<unknown> {
  const ofUser = own ? sql`and (user_uuid = ${own.userUuid} or extension_user_uuid = ${own.userUuid})` : sql``
  return sql`
    select id, from_number, to_number, started_at from calls
    where account_id = ${accountId} and to_number = any(${numbers}::text[]) and started_at >= ${since}
      and call_type = 'inbound' and answered_at is null and ended_at is not null ${ofUser}
    order by started_at desc, id desc limit ${limit}`
}

/** One row for each number that called, the newest first; what made it done is the first thing after its last call. */
export async function selectMissed(db: Database, asked: Asked) {
  const { accountId } = asked
  const after = (how: 'called_back' | 'answered', condition: RawBuilder<unknown>) => sql`
    (select ${sql.lit(how)} as how, started_at as done_at, trim(first_name || ' ' || last_name) as name,
      user_uuid, id as call_id, answered_at is not null as answered
    from calls
    where account_id = ${accountId} and started_at > missed.last_at and ${condition}
    order by started_at limit 1)`
  const { rows } = await sql<MissedRow>`
    with missed as materialized (
      select from_number as number, count(*)::int as calls, min(started_at) as first_at, max(started_at) as last_at,
        (array_agg(id order by started_at desc, id desc))[1] as last_call_id,
        (array_agg(to_number order by started_at desc, id desc))[1] as extension
      from (${newestMissed(asked)}) as calls
      group by from_number
    )
    select missed.*, done.* from missed left join lateral (
      select * from (
        ${after('called_back', sql`to_number = missed.number and call_type = 'outbound'`)}
        union all
        ${after('answered', sql`from_number = missed.number and call_type = 'inbound' and answered_at is not null`)}
        union all
        select 'marked', at, user_name, user_uuid, null, null from missed_call_marks
        where account_id = ${accountId} and missed_call_marks.number = missed.number and at >= missed.last_at
      ) as ways
      order by done_at limit 1) as done on true
    order by last_at desc, number
    ${sql.raw(unprepared)}`.execute(db)
  return rows
}

type Mark = { accountId: number; number: string; at: Date; user: { uuid: string; name: string } }

export async function storeMark(db: Database, { accountId, number, at, user }: Mark) {
  const mark = { at, user_uuid: user.uuid, user_name: user.name }
  await db
    .insertInto('missed_call_marks')
    .values({ account_id: accountId, number, ...mark })
    .onConflict((conflict) => conflict.columns(['account_id', 'number']).doUpdateSet(mark))
    .execute()
}

export async function deleteMark(db: Database, accountId: number, number: string) {
  await db
    .deleteFrom('missed_call_marks')
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .execute()
}

/** Marks of calls that are no longer listed. */
export async function deleteOldMarks(db: Database, accountId: number, before: Date) {
  await db
    .deleteFrom('missed_call_marks')
    .where('account_id', '=', accountId)
    .where('at', '<', before)
    .execute()
}
