/** Charges: cancelled, refunded, listed; ordered in `ordering.ts`. No request goes to the gateway while a transaction is open. */
import { refuse } from '../../contract/errors.ts'
import { allPages } from '../../filter/all-pages.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import type { PageOf } from '../../filter/page.ts'
import { inOrderOf, type LastChange, type Updates } from '../../filter/updates.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Failure, Payment, PaymentGateway } from '../../payments/port.ts'
import type { Database } from '../../store/database.ts'
import type { Searches } from '../../store/searches.ts'
import { readChanged } from '../../store/updates-sql.ts'
import { recordAudit } from '../../users/audit/audit.ts'
import type { Caller } from '../../users/caller.ts'
import { type Charge, isCancellable } from './charge.ts'
import { auditCharge } from './charge-audit.ts'
import type { ChargeTransitions } from './charge-transitions.ts'
import {
  type ChargeRow,
  findCharge,
  findCharges,
  lockCharge,
  readCharge,
  readChargeRows,
  readCharges,
  toCharge,
  updateCharge,
} from './charges-store.ts'
import { type CustomerOf, createOrdering } from './ordering.ts'

const retryAfter = 30

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
  const { create } = createOrdering({ db, clock, log, gateway, transitions, customerOf })

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
        if (charge.status === 'CANCELLED')
          await auditCharge(tx, caller, 'charge.cancelled', charge, clock.now())
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

  return { create, cancel, refund, find, findAll, list, listAll, updated }
}
export type Charges = ReturnType<typeof createCharges>
