/** Brings a charge to the status of its payment and posts the credit or refund that follows, in the caller's transaction. */
import type { ChargeStatus } from '../../contract/charges.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import { formatCentavos } from '../../kit/money.ts'
import type { Payment } from '../../payments/port.ts'
import type { Database } from '../../store/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { readBalance } from '../ledger/ledger-store.ts'
import { type Charge, isPaid, mayMove, nextPoll, shortestPath } from './charge.ts'
import { type ChargeRow, insertMove, toCharge, updateCharge } from './charges-store.ts'

/** Called in the transaction that credits or refunds a charge; `balance` is the account's after it, in centavos. */
export type OnChargeMoved = (
  tx: Database,
  moved: { charge: Charge; reference: string; balance: number; at: Date },
) => Promise<void>

type Deps = {
  clock: Clock
  ledger: Ledger
  log: Log
  onPaid?: OnChargeMoved | undefined
  /** Each time money goes back, which may be in parts. */
  onRefunded?: OnChargeMoved | undefined
}

/**
 * How we learned of the payment's status.
 * webhook: a past event, perhaps delivered late. Only a single allowed move is made; otherwise the gateway is polled.
 * polled: the status now. All moves on the shortest path to it are made.
 */
type StatusSource = 'polled' | 'webhook'

export function createChargeTransitions({ clock, ledger, log, onPaid, onRefunded }: Deps) {
  /** Returns the updated charge. The caller holds the row lock. */
  async function apply(
    tx: Database,
    charge: ChargeRow,
    payment: Payment,
    source: StatusSource,
    cause: string,
  ): Promise<ChargeRow> {
    let at = charge
    const to = payment.status
    const path = source === 'polled' ? shortestPath(at.status, to) : mayMove(at.status, to) ? [to] : undefined
    if (at.status !== to && !path) {
      await insertMove(tx, moveOf(at, to, false, cause))
      log.info({ charge: at.id, from: at.status, to, cause }, 'a move of a charge came too late, or is none')
      return await updateCharge(tx, at.id, { look_at: source === 'webhook' ? clock.now() : nextPollOf(at) })
    }
    at = await updateCharge(tx, at.id, detailsOf(at, payment))
    for (const next of at.status === to ? [] : (path ?? [])) at = await step(tx, at, next, cause)
    at = await giveBack(tx, at, payment)
    return await updateCharge(tx, at.id, { look_at: nextPollOf(at) })
  }

  async function step(tx: Database, charge: ChargeRow, to: ChargeStatus, cause: string): Promise<ChargeRow> {
    const now = clock.now()
    await insertMove(tx, moveOf(charge, to, true, cause))
    if (charge.status === 'CANCELLED') {
      log.warn(
        { charge: charge.id, to, cause },
        'a cancelled charge was paid all the same; it is credited (D33)',
      )
    }
    // D34: once, on the first of the two.
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
    const entry = { accountId, kind: 'charge' as const, amount, reference: `charge:${id}` }
    await ledger.post(tx, { entries: [{ ...entry, description: `Charge ${id} paid` }] })
  }

  /** D34: what went back to the payer leaves the balance, which may go below zero then. */
  async function giveBack(tx: Database, charge: ChargeRow, payment: Payment): Promise<ChargeRow> {
    const whole = charge.status === 'REFUNDED'
    const refunded = whole ? charge.amount : Math.min(payment.refunded, charge.amount)
    const more = refunded - charge.refunded
    if (charge.paid_at === null || more <= 0) return charge
    const entry = { accountId: charge.account_id, kind: 'refund' as const, amount: -more }
    const description = `Charge ${charge.id}: ${formatCentavos(more)} refunded`
    await ledger.post(tx, {
      entries: [{ ...entry, reference: `refund:${charge.id}:${refunded}`, description }],
    })
    const moved = await updateCharge(tx, charge.id, { refunded })
    await emit(tx, onRefunded, moved)
    return moved
  }

  function moveOf({ id, status }: ChargeRow, to: ChargeStatus, taken: boolean, cause: string) {
    return { chargeId: id, at: clock.now(), from: status, to, taken, cause }
  }

  function nextPollOf({ status, status_at }: ChargeRow) {
    return nextPoll(status, status_at, clock.now())
  }

  return { apply }
}
export type ChargeTransitions = ReturnType<typeof createChargeTransitions>

/** What the gateway says besides the status. Money that was asked for stays as it was asked for. */
function detailsOf(charge: ChargeRow, payment: Payment) {
  return {
    payment_id: payment.paymentId,
    payment_link: payment.paymentLink,
    payment_code: payment.paymentCode ?? charge.payment_code,
    invoice_id: payment.invoiceId ?? charge.invoice_id,
    invoice_link: payment.invoiceLink ?? charge.invoice_link,
    fee: payment.fee,
    ...(payment.method !== 'UNDEFINED' &&
      charge.payment_method === 'UNDEFINED' && { payment_method: payment.method }),
  }
}
