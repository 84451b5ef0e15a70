/**
 * Telling of calls: the events, and a delivery for every webhook that listens, in the transaction of those to whom it
 * happened. Either all of it is true, or none.
 */
import { sql } from 'kysely'
import { optionalKinds } from '../contract/events.ts'
import { lockListenersShared } from '../integrations/integrations-store.ts'
import type { Database } from '../store/database.ts'
import { type CallHappening, composePayload } from './payload.ts'

/** Which webhooks have something to send; say it to `wake` once the transaction is through. */
export type Announced = { integrations: number[] }

/** Reasons are kept for so many integrations an event; who has more finds them among the others. */
const mostSkipped = 20

/**
 * Events of one call come in the order given, which must be the order in which they happened; the call's row is
 * the caller's to lock. What was told of a call already is not told again.
 */
export async function announceAll(tx: Database, now: Date, happenings: CallHappening[]): Promise<Announced> {
  if (happenings.length === 0) return { integrations: [] }
  const accountIds = [...new Set(happenings.map(({ accountId }) => accountId))]
  await lockListenersShared(tx, accountIds)
  const rows = compose(happenings, await readFacts(tx, happenings, accountIds))
  return { integrations: rows.length > 0 ? await insertEvents(tx, now, rows) : [] }
}

type Facts = {
  accounts: { id: number; uuid: string; timeZone: string; wants: string[] }[]
  calls: { id: string; last: number; kinds: string[] }[]
}

/** Of the accounts, and of what was told of the calls before. */
async function readFacts(tx: Database, happenings: CallHappening[], accountIds: number[]): Promise<Facts> {
  const callIds = [...new Set(happenings.map(({ callId }) => callId))]
  const { rows } = await sql<{ accounts: Facts['accounts']; calls: Facts['calls'] | null }>`
    select
      (select json_agg(json_build_object('id', a.id, 'uuid', a.uuid, 'timeZone', a.time_zone, 'wants', coalesce(
          (select json_agg(distinct type) from integrations i, unnest(i.event_types) type
           where i.account_id = a.id and i.webhook), '[]')))
        from accounts a where a.id = any(${accountIds}::bigint[])) as accounts,
      (select json_agg(json_build_object('id', told.call_id, 'last', told.last, 'kinds', told.kinds))
        from (select call_id, max(sequence) as last, array_agg(kind) as kinds from events
          where call_id = any(${callIds}::uuid[]) group by call_id) told) as calls
  `.execute(tx)
  return { accounts: rows[0]?.accounts ?? [], calls: rows[0]?.calls ?? [] }
}

type EventRow = {
  account: number
  user: number | null
  call: string
  sequence: number
  kind: string
  payload: string
}

function compose(happenings: CallHappening[], facts: Facts): EventRow[] {
  const accounts = new Map(facts.accounts.map((account) => [account.id, account]))
  const told = new Map(facts.calls.map(({ id, last, kinds }) => [id, { last, kinds: new Set(kinds) }]))
  return happenings.flatMap((happening) => {
    const { accountId, callId, kind } = happening
    const account = accounts.get(accountId)
    const before = told.get(callId) ?? { last: 0, kinds: new Set<string>() }
    if (!account || before.kinds.has(kind)) return []
    // D89: off unless listed.
    if (optionalKinds.includes(kind) && !account.wants.includes(kind)) return []
    const sequence = before.last + 1
    told.set(callId, { last: sequence, kinds: before.kinds.add(kind) })
    const payload = composePayload(happening, account, sequence)
    return [{ account: accountId, user: happening.userId, call: callId, sequence, kind, payload }]
  })
}

/**
 * D83: an ADMIN's webhook hears of all calls of the account, a USER's of that user's. One whose constraint the call
 * does not match gets a row that says so (D82).
 */
async function insertEvents(tx: Database, now: Date, rows: EventRow[]): Promise<number[]> {
  const column = <K extends keyof EventRow>(name: K) => rows.map((row) => row[name])
  const { rows: inserted } = await sql<{ integration_id: number }>`
    with told as (
      insert into events (account_id, user_id, call_id, sequence, kind, payload, created_at)
      select account_id, user_id, call_id, sequence, kind, payload, ${now}::timestamptz
      from unnest(${column('account')}::bigint[], ${column('user')}::bigint[], ${column('call')}::uuid[],
          ${column('sequence')}::int[], ${column('kind')}::text[], ${column('payload')}::text[])
        with ordinality as given (account_id, user_id, call_id, sequence, kind, payload, number)
      order by number
      returning *
    ), heard as (
      select t.id, t.call_id, t.sequence, t.created_at, i.id as integration_id, i.version, mismatch.key,
        row_number() over (partition by t.id, mismatch.key is null order by i.id) as number
      from told t
      join integrations i on i.account_id = t.account_id and i.webhook and t.kind = any(i.event_types)
      join users u on u.id = i.user_id and (u.role = 'ADMIN' or u.id = t.user_id)
      cross join lateral (
        select min(metadata_mismatch(c.wanted, t.payload::jsonb -> 'metadata')) as key
        from jsonb_array_elements(i.conditions) as c (wanted)
      ) as mismatch
    ), kept as (
      insert into deliveries (integration_id, event_id, call_id, sequence, version, state, reason, next_at, due_since, settled_at)
      select integration_id, id, call_id, sequence, version,
        case when key is null then 'pending' else 'skipped' end,
        'constraint mismatch on key ' || key,
        case when key is null then created_at end, created_at,
        case when key is not null then created_at end
      from heard where key is null or number <= ${mostSkipped}
      returning integration_id, state
    )
    select distinct integration_id from kept where state = 'pending'
  `.execute(tx)
  return inserted.map((row) => row.integration_id)
}
