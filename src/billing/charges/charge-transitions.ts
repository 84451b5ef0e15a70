/** Brings a charge to the status of its payment and posts the credit or refund that follows, in the caller's transaction. */
import type { ChargeStatus } from '../../contract/money/charges.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Centavos } from '../../kit/text/money.ts'
import type { Payment } from '../../payments/port.ts'
import type { Database } from '../../store/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type NewEntry, readBalance } from '../ledger/ledger-store.ts'
import { statementLines } from '../ledger/statement-lines.ts'
import { type Charge, isPaid, lacksCode, mayBeLate, mayMove, nextPoll, shortestPath } from './charge.ts'
import { type ChargeRow, insertMove, toCharge, updateCharge } from './charges-store.ts'

/** Called in the transaction that credits or refunds a charge; `balance` is the account's after it. */
export type OnChargeMoved = (
  tx: Database,
  moved: { charge: Charge; reference: string; balance: Centavos; at: Date },
) => Promise<void>

/** D152: a new charge without its code is polled this often, so that its payer can pay soon. */
const codeRetrySeconds = 60
const codeWithinSeconds = 15 * 60

/** D561: after an event that may be late the gateway is polled so soon. */
const lateEventSeconds = 60

type Deps = {
  clock: Clock
  ledger: Ledger
  log: Log
  onPaid?: OnChargeMoved | undefined
  /** Each time money goes back, which may be in parts. */
  onRefunded?: OnChargeMoved | undefined
  /** In the transaction, for those who watch charges live (D298). */
  onChanged?: ((tx: Database, chargeId: number) => Promise<void>) | undefined
}

/**
 * How we learned of the payment's status.
 * webhook: a past event, perhaps delivered late. Only a single allowed move is made; otherwise the gateway is polled.
 * polled: the status now. All moves on the shortest path to it are made.
 */
type StatusSource = 'polled' | 'webhook'

export function createChargeTransitions({ clock, ledger, log, onPaid, onRefunded, onChanged }: Deps) {
  /** Returns the updated charge. The caller holds the row lock. */
  async function apply(
    tx: Database,
    charge: ChargeRow,
    payment: Payment,
    source: StatusSource,
    cause: string,
  ): Promise<ChargeRow> {
    let current = charge
    const to = payment.status
    const path =
      source === 'polled' ? shortestPath(current.status, to) : mayMove(current.status, to) ? [to] : undefined
    if (current.status !== to && !path) {
      await insertMove(tx, moveOf(current, to, false, cause))
      log.info(
        { charge: current.id, from: current.status, to, cause },
        'a move of a charge is not allowed from its status',
      )
      return await updateCharge(tx, current.id, {
        look_at: source === 'webhook' ? clock.now() : nextPollOf(current),
      })
    }
    current = await updateCharge(tx, current.id, detailsOf(current, payment))
    for (const next of current.status === to ? [] : (path ?? []))
      current = await move(tx, current, next, cause)
    current = await applyRefund(tx, current, payment)
    await onChanged?.(tx, current.id)
    const next = nextPollOf(current)
    if (source === 'polled') return await updateCharge(tx, current.id, { look_at: next })
    const soon = mayBeLate(charge.status, to) ? plusSeconds(clock.now(), lateEventSeconds) : next
    // An earlier event may have asked for a poll that is still to come.
    return await updateCharge(tx, current.id, { look_at: earlier(charge.look_at, soon) })
  }

  async function move(tx: Database, charge: ChargeRow, to: ChargeStatus, cause: string): Promise<ChargeRow> {
    const now = clock.now()
    await insertMove(tx, moveOf(charge, to, true, cause))
    if (charge.status === 'CANCELLED') {
      log.warn({ charge: charge.id, to, cause }, 'a cancelled charge was paid; it is credited (D33)')
    }
    // D34: credited once, at the first of the two paid statuses.
    const pays = isPaid(to) && charge.paid_at === null
    if (pays) await grant(tx, charge)
    const moved = await updateCharge(tx, charge.id, {
      status: to,
      status_at: now,
      ...(pays && { paid_at: now }),
      ...(to === 'RECEIVED' && charge.received_at === null && { received_at: now }),
      ...(to === 'REFUNDED' && { refunded_at: now }),
    })
    if (pays) await emit(tx, onPaid, moved)
    return moved
  }

  async function emit(tx: Database, callback: OnChargeMoved | undefined, row: ChargeRow) {
    if (!callback) return
    const { balance } = await readBalance(tx, row.account_id)
    await callback(tx, { charge: toCharge(row), reference: row.reference, balance, at: clock.now() })
  }

  async function grant(tx: Database, { id, account_id: accountId, amount }: ChargeRow) {
    const entry: NewEntry = {
      accountId,
      kind: 'charge',
      amount,
      reference: `charge:${id}`,
      description: statementLines.charge(id),
    }
    await ledger.post(tx, { entries: [entry] })
  }

  /** D34: what was refunded to the payer leaves the balance, which may become negative. */
  async function applyRefund(tx: Database, charge: ChargeRow, payment: Payment): Promise<ChargeRow> {
    const whole = charge.status === 'REFUNDED'
    const refunded = whole ? charge.amount : Math.min(payment.refunded, charge.amount)
    const more = refunded - charge.refunded
    if (charge.paid_at === null || more <= 0) return charge
    const entry: NewEntry = {
      accountId: charge.account_id,
      kind: 'refund',
      amount: -more,
      reference: `refund:${charge.id}:${refunded}`,
      description: statementLines.refund(charge.id, more),
    }
    await ledger.post(tx, { entries: [entry] })
    const moved = await updateCharge(tx, charge.id, { refunded })
    await emit(tx, onRefunded, moved)
    return moved
  }

  function moveOf({ id, status }: ChargeRow, to: ChargeStatus, taken: boolean, cause: string) {
    return { chargeId: id, at: clock.now(), from: status, to, taken, cause }
  }

  function nextPollOf(charge: ChargeRow) {
    const now = clock.now()
    const isNew = now < plusSeconds(charge.created_at, codeWithinSeconds)
    if (lacksCode(charge) && isNew) return plusSeconds(now, codeRetrySeconds)
    return nextPoll(charge.status, charge.status_at, now)
  }

  return { apply }
}
export type ChargeTransitions = ReturnType<typeof createChargeTransitions>

/** `next`: null for never, whatever was planned. */
function earlier(planned: Date | null, next: Date | null): Date | null {
  return planned && next && planned < next ? planned : next
}

/** D152: a charge by PIX is paid with the code to copy and paste. */
function codeOf(charge: ChargeRow, payment: Payment): string | undefined {
  return charge.payment_method === 'PIX' ? payment.pixCode : payment.paymentCode
}

/** What the gateway reports besides the status. The amounts of the charge never change. */
function detailsOf(charge: ChargeRow, payment: Payment) {
  return {
    payment_id: payment.paymentId,
    payment_link: payment.paymentLink,
    payment_code: codeOf(charge, payment) ?? charge.payment_code,
    pix_code: payment.pixCode ?? charge.pix_code,
    invoice_id: payment.invoiceId ?? charge.invoice_id,
    invoice_link: payment.invoiceLink ?? charge.invoice_link,
    fee: payment.fee,
    ...(payment.method !== 'UNDEFINED' &&
      charge.payment_method === 'UNDEFINED' && { payment_method: payment.method }),
  }
}
