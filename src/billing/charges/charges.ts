/** Charges: created, cancelled, refunded, listed. No request goes to the gateway while a transaction is open. */
import { refuse } from '../../contract/errors.ts'
import { allPages } from '../../filter/all-pages.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf } from '../../filter/page.ts'
import { inOrderOf, type LastChange, type Updates } from '../../filter/updates.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { uuidv7 } from '../../kit/ids.ts'
import type { Log } from '../../kit/process/log.ts'
import { toReais } from '../../kit/text/money.ts'
import type { Failure, Payment, PaymentGateway } from '../../payments/port.ts'
import { violatedConstraint } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import type { InSameTransaction } from '../../store/idempotency.ts'
import type { Searches } from '../../store/searches.ts'
import { readChanged } from '../../store/updates-sql.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { Caller } from '../../users/caller.ts'
import {
  type Charge,
  type ChargeRequest,
  type ChargeTerms,
  dateIn,
  isCancellable,
  readChargeRequest,
} from './charge.ts'
import type { ChargeTransitions } from './charge-transitions.ts'
import {
  type ChargeRow,
  deleteUnordered,
  findCharge,
  findCharges,
  insertCharge,
  insertMove,
  lockCharge,
  readCharge,
  readChargeRows,
  readCharges,
  toCharge,
  updateCharge,
} from './charges-store.ts'

/** An order without an answer is looked up at the gateway after this time. */
const pollAfterSeconds = 60
const retryAfter = 30

/** The customer at the gateway; called only for gateways that need one. */
export type CustomerOf = (caller: Caller) => Promise<{ customerId: string } | undefined>

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  log: Log
  gateway: PaymentGateway
  transitions: ChargeTransitions
  customerOf: CustomerOf
}

export function createCharges({ db, clock, searches, log, gateway, transitions, customerOf }: Deps) {
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
      await audit(tx, caller, 'charge.created', charge)
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

  /** D33: only a charge that is pending or overdue; cancelled again, it stays as it is. */
  async function cancel(caller: Caller, id: number): Promise<Charge> {
    const before = await findCharge(db, caller.accountId, id)
    if (!before?.payment_id) throw refuse('CHARGE_NOT_FOUND')
    if (before.status === 'CANCELLED') return toCharge(before)
    if (!isCancellable(before.status)) throw refuse('CHARGE_NOT_CANCELLABLE')
    if (before.gateway !== gateway.name) throw refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
    const answer = await gateway.cancel(before.payment_id)
    if (!answer.ok) {
      log.warn({ charge: id, ...answer }, 'the payment gateway did not cancel a charge')
      await updateCharge(db, id, { look_at: clock.now() })
      throw answer.why === 'refused'
        ? refuse('CHARGE_NOT_CANCELLABLE')
        : refuse('PAYMENT_GATEWAY_DOWN', { retryAfter })
    }
    const after = await applyPolled(
      id,
      answer.payment,
      `cancelled by ${caller.user.email}`,
      async (tx, charge) => {
        if (charge.status === 'CANCELLED') await audit(tx, caller, 'charge.cancelled', charge)
      },
    )
    // The payment came first: it is credited, and the charge is not cancelled.
    if (after.status !== 'CANCELLED') throw refuse('CHARGE_NOT_CANCELLABLE')
    return after
  }

  /** By the operator: the whole amount goes back to the payer. Undefined: no such charge at the gateway in use. */
  async function refund(id: number, reason: string): Promise<Charge | Failure | undefined> {
    const before = await readCharge(db, id)
    if (!before?.payment_id || before.gateway !== gateway.name) return undefined
    const answer = await gateway.refund(before.payment_id)
    if (!answer.ok) return answer
    return await applyPolled(
      id,
      answer.payment,
      `refunded by the operator: ${reason}`,
      async (tx, charge) => {
        await recordAudit(tx, {
          accountId: charge.account_id,
          at: clock.now(),
          action: 'charge.refund-asked',
          actor: null,
          subject: String(id),
          details: { reason },
        })
      },
    )
  }

  async function applyPolled(
    id: number,
    payment: Payment,
    cause: string,
    onApplied: (tx: Database, charge: ChargeRow) => Promise<void>,
  ): Promise<Charge> {
    return await db.transaction().execute(async (tx) => {
      const charge = await lockCharge(tx, id)
      if (!charge) throw refuse('CHARGE_NOT_FOUND')
      const after = await transitions.apply(tx, charge, payment, 'polled', cause)
      await onApplied(tx, after)
      return toCharge(after)
    })
  }

  /** D150: of the account, as in the list. */
  async function find({ accountId }: Pick<Caller, 'accountId'>, id: number): Promise<Charge> {
    const row = await findCharge(db, accountId, id)
    if (!row) throw refuse('CHARGE_NOT_FOUND')
    return toCharge(row)
  }

  /** Those of the named charges that are charges of these accounts. */
  async function findAll(accountIds: number[], ids: number[]) {
    const rows = await findCharges(db, accountIds, ids)
    return rows.map((row) => ({ accountId: row.account_id, charge: toCharge(row) }))
  }

  async function list({ accountId }: Pick<Caller, 'accountId'>, query: PagedQuery): Promise<PageOf<Charge>> {
    const { rows, ...page } = await searches.run(accountId, (db) => readCharges(db, accountId, query))
    return { ...page, rows: rows.map(toCharge) }
  }

  /** D301: the whole list. */
  function listAll({ accountId }: Caller, query: PagedQuery): AsyncGenerator<Charge[]> {
    return allPages(query, async (page) => {
      const { rows, end } = await searches.run(accountId, (db) => readChargeRows(db, accountId, page))
      return { rows: rows.map(toCharge), end }
    })
  }

  /** D575. */
  async function updated(
    { accountId }: Pick<Caller, 'accountId'>,
    last: LastChange,
    limit: number,
  ): Promise<Updates<Charge>> {
    const asked = { accountId, tables: ['charges'], idType: 'bigint', last, limit } as const
    return await searches.run(accountId, async (db) => {
      const changed = await readChanged(db, asked)
      const ids = changed.rows.map(({ id }) => id)
      const found = ids.length > 0 ? await findCharges(db, [accountId], ids.map(Number)) : []
      return { ...changed, rows: inOrderOf(ids, found, ({ id }) => id).map(toCharge) }
    })
  }

  async function audit(
    tx: Database,
    { accountId, user }: Caller,
    action: 'charge.created' | 'charge.cancelled',
    { id, amount }: ChargeRow,
  ) {
    await recordAudit(tx, {
      accountId,
      at: clock.now(),
      action,
      actor: user.email,
      subject: String(id),
      details: { amount: toReais(amount) },
    })
  }

  return { create, cancel, refund, find, findAll, list, listAll, updated }
}
export type Charges = ReturnType<typeof createCharges>
