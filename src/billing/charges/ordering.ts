/** Orders payments: a charge is stored, its payment ordered at the gateway, and the charge completed with it. */
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { uuidv7 } from '../../kit/ids.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Failure, Payment, PaymentGateway } from '../../payments/port.ts'
import { violatedConstraint } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import type { ResumableKey } from '../../store/idempotency.ts'
import type { Caller } from '../../users/caller.ts'
import { type Charge, type ChargeRequest, type ChargeTerms, dateIn, readChargeRequest } from './charge.ts'
import { auditCharge } from './charge-audit.ts'
import type { ChargeTransitions } from './charge-transitions.ts'
import {
  type ChargeRow,
  deleteUnordered,
  insertCharge,
  insertMove,
  lockCharge,
  readCharge,
  toCharge,
} from './charges-store.ts'

/** An order without an answer is looked up at the gateway after this time. */
const pollAfterSeconds = 60
const retryAfter = 30

/** The customer at the gateway; called only for gateways that need one. */
export type CustomerOf = (caller: Caller) => Promise<{ customerId: string } | undefined>

type Deps = {
  db: Database
  clock: Clock
  log: Log
  gateway: PaymentGateway
  transitions: ChargeTransitions
  customerOf: CustomerOf
}

export function createOrdering({ db, clock, log, gateway, transitions, customerOf }: Deps) {
  async function create(caller: Caller, request: ChargeRequest, key?: ResumableKey<Charge>): Promise<Charge> {
    const begun = key?.begun === undefined ? undefined : await readCharge(db, key.begun)
    if (begun) return await resume(caller, begun, key)
    const terms = readChargeRequest(request, clock.now())
    const customer = gateway.needsCustomer ? await customerOf(caller) : undefined
    // D36: some gateways need a customer, which the financial account gives.
    if (gateway.needsCustomer && !customer) throw refuse('FINANCIAL_ACCOUNT_REQUIRED')
    // The row comes first: its unique constraint prevents a second open charge (D32).
    const reserved = await reserve(caller, terms, key)
    const order = await gateway.order({
      reference: reserved.reference,
      method: terms.method,
      dueDate: dateIn(terms.dueAt),
      amount: terms.amount,
      description: terms.description,
      payerName: caller.user.name,
      ...customer,
    })
    if (!order.ok) throw await abandon(reserved, order)
    return await complete(caller, reserved.id, order.payment, key)
  }

  /**
   * D560: an earlier request with the key has sent the order, and its answer is not known. It is not sent again, since it
   * may still be on its way; if it never arrives, the reconciliation deletes its charge, and the next request orders anew.
   */
  async function resume(caller: Caller, begun: ChargeRow, key: ResumableKey<Charge> | undefined) {
    const { id, payment_id: paymentId, reference } = begun
    if (paymentId !== null) return await complete(caller, id, undefined, key)
    const answer = begun.gateway === gateway.name ? await gateway.find({ reference }) : undefined
    if (!answer?.ok || !answer.payment) throw refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
    return await complete(caller, id, answer.payment, key)
  }

  /** An event that has moved the charge meanwhile is newer than `payment`. */
  async function complete(
    caller: Caller,
    id: number,
    payment: Payment | undefined,
    key: ResumableKey<Charge> | undefined,
  ): Promise<Charge> {
    return await db.transaction().execute(async (tx) => {
      const charge = await lockCharge(tx, id)
      if (!charge) throw new Error(`charge ${id} is gone before its order came back`)
      const hasMoved = charge.status !== 'PENDING'
      const made = toCharge(
        payment && !hasMoved ? await transitions.apply(tx, charge, payment, 'polled', 'as ordered') : charge,
      )
      await auditCharge(tx, caller, 'charge.created', charge, clock.now())
      await key?.saveAnswer(tx, made)
      return made
    })
  }

  async function reserve(
    caller: Caller,
    terms: ChargeTerms,
    key: ResumableKey<Charge> | undefined,
  ): Promise<ChargeRow> {
    const now = clock.now()
    const row = {
      reference: uuidv7(now),
      account_id: caller.accountId,
      user_id: caller.user.id,
      gateway: gateway.name,
      payment_method: terms.method,
      due_at: terms.dueAt,
      amount: terms.amount,
      total: terms.amount,
      description: terms.description,
      metadata: JSON.stringify(terms.metadata),
      status: 'PENDING' as const,
      status_at: now,
      created_at: now,
      look_at: plusSeconds(now, pollAfterSeconds),
    }
    const cause = `made by ${caller.user.email}`
    return await db
      .transaction()
      .execute(async (tx) => {
        const made = await insertCharge(tx, row)
        await insertMove(tx, { chargeId: made.id, at: now, from: null, to: 'PENDING', taken: true, cause })
        await key?.noteBegun(tx, made.id)
        return made
      })
      .catch((error: unknown) => {
        throw violatedConstraint(error) === 'charges_open' ? refuse('CHARGE_OPEN') : error
      })
  }

  /** If the gateway may have made the payment, the charge stays for the reconciliation to find out. */
  async function abandon({ id }: ChargeRow, { why, reason }: Failure) {
    log.warn({ charge: id, why, reason }, 'the payment gateway did not accept an order')
    if (why !== 'unknown') await deleteUnordered(db, id)
    return why === 'refused' ? refuse('PAYMENT_REFUSED') : refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
  }

  return { create }
}
