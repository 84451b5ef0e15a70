/** Orders payments: a charge is stored, its payment ordered at the gateway, and the charge completed with it. */
import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { uuidv7 } from '../../kit/ids.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Failure, PaymentGateway } from '../../payments/port.ts'
import { violatedConstraint } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import type { InSameTransaction } from '../../store/idempotency.ts'
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
  async function create(
    caller: Caller,
    request: ChargeRequest,
    saveAnswer?: InSameTransaction<Charge>,
  ): Promise<Charge> {
    const terms = readChargeRequest(request, clock.now())
    const customer = gateway.needsCustomer ? await customerOf(caller) : undefined
    // D36: some gateways need a customer, which the financial account gives.
    if (gateway.needsCustomer && !customer) throw refuse('FINANCIAL_ACCOUNT_REQUIRED')
    // The row comes first: its unique constraint prevents a second open charge (D32).
    const reserved = await reserve(caller, terms)
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
    return await db.transaction().execute(async (tx) => {
      const charge = await lockCharge(tx, reserved.id)
      if (!charge) throw new Error(`charge ${reserved.id} is gone before its order came back`)
      const made = toCharge(await transitions.apply(tx, charge, order.payment, 'polled', 'as ordered'))
      await auditCharge(tx, caller, 'charge.created', charge, clock.now())
      await saveAnswer?.(tx, made)
      return made
    })
  }

  async function reserve(caller: Caller, terms: ChargeTerms): Promise<ChargeRow> {
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
