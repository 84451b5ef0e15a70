/** The statement that reserves credit, also for modules that cannot afford another round trip while the balance is locked. */
import type { Centavos } from '../../kit/text/money.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { Rate } from '../tariff/rate.ts'
import type { DailyCeilings } from './daily-use.ts'
import { dayGoesOn } from './daily-use-sql.ts'

export type Reservation = {
  callId: string
  accountId: number
  amount: Centavos
  /** Talk time that the amount pays for. */
  seconds: number
  rate: Rate
}

export const wantedReservations = defineUnnest<Reservation>('wanted', {
  call_id: ['uuid', ({ callId }) => callId],
  account_id: ['bigint', ({ accountId }) => accountId],
  amount: ['bigint', ({ amount }) => amount],
  seconds: ['int', ({ seconds }) => seconds],
  minute_price: ['bigint', ({ rate }) => rate.minutePrice],
  first_block: ['int', ({ rate }) => rate.firstBlock],
  step: ['int', ({ rate }) => rate.step],
  grace: ['int', ({ rate }) => rate.grace],
  prefix: ['text', ({ rate }) => rate.prefix],
  name: ['text', ({ rate }) => rate.name],
})

export const dailyCeilings = defineUnnest<[accountId: number, DailyCeilings]>('ceiling', {
  account_id: ['bigint', ([accountId]) => accountId],
  calls: ['bigint', ([, { calls }]) => calls],
  spending: ['bigint', ([, { spending }]) => spending],
})

/** The parameters after those of the reservations and the ceilings. */
const firstOfCeilings = wantedReservations.names.length + 1
const accounts = `$${firstOfCeilings + dailyCeilings.names.length}::bigint[]`
const at = `$${firstOfCeilings + dailyCeilings.names.length + 1}::timestamptz`
const goesOn = dayGoesOn('balances', at)

/** The first parameter of the insertion. */
export const firstAfterReservations = firstOfCeilings + dailyCeilings.names.length + 2

/** A text of `reservingText` that stores calls, with the values of its further parameters. */
export type Storing = { text: string; values: unknown[] }

/** The part of the statement that stores the calls. */
type StoringText = {
  /**
   * Inserts the calls that have credit, `affordable (call_id)`, and others that need none. Returns `call_id`, and whether
   * more than the insert must be done for the call (`listened`).
   */
  insertion: string
  /** A further condition on the account, `room.account_id`. */
  condition: string
}

const reserveOnly: StoringText = {
  insertion: 'select call_id, false as listened from affordable',
  condition: 'true',
}

/**
 * Compiled once, because it runs for every call that is placed. Only calls that `insertion` has stored get credit. One row
 * for each account, and one without an account for stored calls that need no credit.
 */
export const reservingText = ({ insertion, condition } = reserveOnly) => `
  with wanted as (
    select * from ${wantedReservations.text()}
  ), needed as (
    select account_id, sum(amount)::bigint as amount, count(*) as calls from wanted group by account_id
  ), held as (
    select account_id, balance - reserved as available, reserved, day_began,
      case when ${goesOn} then day_calls else 0 end as calls,
      case when ${goesOn} then day_spent else 0 end as spent
    from balances
    where account_id = any(${accounts})
    order by account_id for no key update
  ), room as (
    select account_id, needed.amount, needed.calls, coalesce(held.available, 0) as available, held.day_began,
      ceiling.calls - coalesce(held.calls, 0) as calls_left,
      ceiling.spending - coalesce(held.spent + held.reserved, 0) as spending_left,
      held.account_id is null as is_new
    from needed left join held using (account_id) join ${dailyCeilings.text(firstOfCeilings)} using (account_id)
  ), able as (
    select account_id, is_new from room
    where calls <= calls_left and (amount = 0 or (amount <= available and amount <= spending_left)) and ${condition}
  ), affordable as (
    select call_id from wanted where account_id in (select account_id from able)
  ), placed as (
    ${insertion}
  ), granted as (
    select account_id, is_new, sum(amount)::bigint as amount, count(*) as calls, array_agg(call_id) as placed,
      array_agg(call_id) filter (where listened) as listened
    from wanted join able using (account_id) join placed using (call_id)
    group by account_id, is_new
  ), updated as (
    update balances set
      reserved = reserved + granted.amount,
      day_began = case when ${goesOn} then balances.day_began else ${at} end,
      day_calls = case when ${goesOn} then day_calls else 0 end + granted.calls,
      day_spent = case when ${goesOn} then day_spent else 0 end
    from granted where balances.account_id = granted.account_id
  ), begun as (
    insert into balances (account_id, balance, day_began, day_calls)
    select account_id, 0, ${at}, calls from granted where is_new order by account_id
    on conflict (account_id) do update set day_calls = balances.day_calls + excluded.day_calls
  ), made as (
    insert into reservations (${wantedReservations.names.join(', ')}, made_at)
    select wanted.*, ${at} from wanted where call_id in (select call_id from placed)
  )
  select room.account_id as "accountId", room.available, room.calls_left as "callsLeft",
    room.spending_left as "spendingLeft", room.day_began as "dayBegan", able.account_id is not null as "isAble",
    coalesce(granted.placed, '{}') as placed, coalesce(granted.listened, '{}') as listened
  from room left join able using (account_id) left join granted using (account_id)
  union all
  select null, 0, 0, 0, null, true, array_agg(call_id), coalesce(array_agg(call_id) filter (where listened), '{}')
  from placed where call_id not in (select call_id from wanted) having count(*) > 0`
