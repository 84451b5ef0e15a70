/** The statement that reserves credit, also for modules that cannot afford another round trip while the balance is locked. */
import type { Centavos } from '../../kit/money.ts'
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

/** The first parameter of what else the statement does. */
export const firstAfterReservations = firstOfCeilings + dailyCeilings.names.length + 2

/**
 * To be compiled once: it runs for every call that is placed. `also` may use `made (call_id)`, the reservations made;
 * `columns` are added to the row of each account, `room`.
 */
export const reservingText = (also = '', columns = '') => `
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
    select * from room
    where calls <= calls_left and (amount = 0 or (amount <= available and amount <= spending_left))
  ), updated as (
    update balances set
      reserved = reserved + able.amount,
      day_began = case when ${goesOn} then balances.day_began else ${at} end,
      day_calls = case when ${goesOn} then day_calls else 0 end + able.calls,
      day_spent = case when ${goesOn} then day_spent else 0 end
    from able where balances.account_id = able.account_id
  ), begun as (
    insert into balances (account_id, balance, day_began, day_calls)
    select account_id, 0, ${at}, calls from able where is_new order by account_id
    on conflict (account_id) do update set day_calls = balances.day_calls + excluded.day_calls
  ), made as (
    insert into reservations (${wantedReservations.names.join(', ')}, made_at)
    select wanted.*, ${at} from wanted where account_id in (select account_id from able)
    returning call_id
  )${also}
  select room.account_id as "accountId", room.available, room.calls_left as "callsLeft",
    room.spending_left as "spendingLeft", room.day_began as "dayBegan", able.account_id is not null as granted${columns}
  from room left join able on able.account_id = room.account_id`

/** A statement of `reservingText`, with the values of its further parameters. */
export type SameStatement<Columns> = {
  text: string
  values: unknown[]
  onAccount: (columns: Columns) => void
}
