/** SQL of charges, of their moves and of what gateways told. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ChargeStatus } from '../../contract/charges.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { readPage } from '../../filter/sql/page-sql.ts'
import type { PaymentEvent } from '../../payments/port.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import type { Charge } from './charge.ts'

export type ChargeRow = Selectable<Tables['charges']>

export async function insertCharge(db: Database, row: Insertable<Tables['charges']>): Promise<ChargeRow> {
  return await db.insertInto('charges').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Charges of the account, without those whose order the gateway has not confirmed. */
function selectCharges(db: Database, accountId: number) {
  return db
    .selectFrom('charges')
    .where('charges.account_id', '=', accountId)
    .where('charges.payment_id', 'is not', null)
}

export async function findCharge(
  db: Database,
  accountId: number,
  id: number,
): Promise<ChargeRow | undefined> {
  return await selectCharges(db, accountId).selectAll().where('id', '=', id).executeTakeFirst()
}

export async function readCharges(db: Database, accountId: number, query: PagedQuery) {
  return await readPage(selectCharges(db, accountId).selectAll('charges'), query)
}

export async function lockCharge(tx: Database, id: number): Promise<ChargeRow | undefined> {
  return await tx.selectFrom('charges').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** That of a payment, known by the payment or, while its order is on the way, by our own reference. */
export async function lockChargeOf(
  tx: Database,
  gateway: string,
  payment: { paymentId: string; reference: string | undefined },
): Promise<ChargeRow | undefined> {
  const ofGateway = tx.selectFrom('charges').selectAll().where('gateway', '=', gateway).forUpdate()
  const known = await ofGateway.where('payment_id', '=', payment.paymentId).executeTakeFirst()
  if (known || payment.reference === undefined) return known
  return await ofGateway
    .where(sql`reference::text`, '=', payment.reference)
    .where('payment_id', 'is', null)
    .executeTakeFirst()
}

export async function updateCharge(
  tx: Database,
  id: number,
  change: Updateable<Tables['charges']>,
): Promise<ChargeRow> {
  return await tx
    .updateTable('charges')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One that the gateway never took; false if it did meanwhile. */
export async function deleteUnordered(db: Database, id: number): Promise<boolean> {
  const gone = await db
    .deleteFrom('charges')
    .where('id', '=', id)
    .where('payment_id', 'is', null)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

type Move = {
  chargeId: number
  at: Date
  from: ChargeStatus | null
  to: ChargeStatus
  taken: boolean
  cause: string
}

export async function insertMove(tx: Database, { chargeId, at, from, to, taken, cause }: Move) {
  await tx
    .insertInto('charge_moves')
    .values({ charge_id: chargeId, at, from_status: from, to_status: to, taken, cause })
    .execute()
}

/** The charges whose turn it is; nobody else asks about them for a while. */
export async function claimDuePolls(db: Database, gateway: string, now: Date, retryAt: Date, limit: number) {
  return await db
    .updateTable('charges')
    .set({ look_at: retryAt })
    .where('id', 'in', (due) =>
      due
        .selectFrom('charges')
        .select('id')
        .where('look_at', '<=', now)
        .where('gateway', '=', gateway)
        .orderBy('look_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'reference', 'payment_id', 'created_at'])
    .execute()
}

/** False if it was told before. */
export async function insertEvent(
  db: Database,
  gateway: string,
  event: PaymentEvent,
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('gateway_events')
    .values({
      gateway,
      event_id: event.eventId,
      type: event.type,
      payment_id: event.payment.paymentId,
      payment: JSON.stringify(event.payment),
      at: event.at,
      received_at: now,
      due_at: now,
    })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** The event that has waited longest; it is ours until the transaction ends. */
export async function lockNextEvent(tx: Database, gateway: string, now: Date) {
  return await tx
    .selectFrom('gateway_events')
    .selectAll()
    .where('gateway', '=', gateway)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('received_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function updateEvent(
  tx: Database,
  { gateway, event_id }: Pick<Selectable<Tables['gateway_events']>, 'gateway' | 'event_id'>,
  change: Updateable<Tables['gateway_events']>,
) {
  await tx
    .updateTable('gateway_events')
    .set(change)
    .where('gateway', '=', gateway)
    .where('event_id', '=', event_id)
    .execute()
}

export async function deleteOldEvents(db: Database, before: Date) {
  await db
    .deleteFrom('gateway_events')
    .where('due_at', 'is', null)
    .where('received_at', '<', before)
    .execute()
}

export function toCharge(row: ChargeRow): Charge {
  return {
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    gateway: row.gateway,
    paymentMethod: row.payment_method,
    paymentId: row.payment_id,
    paymentCode: row.payment_code,
    paymentLink: row.payment_link,
    invoiceId: row.invoice_id,
    invoiceLink: row.invoice_link,
    dueAt: row.due_at,
    amount: row.amount,
    fee: row.fee,
    total: row.total,
    refunded: row.refunded,
    description: row.description,
    status: row.status,
    statusAt: row.status_at,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    receivedAt: row.received_at,
    refundedAt: row.refunded_at,
    hasErpInvoice: row.has_erp_invoice,
    metadata: row.metadata,
  }
}
