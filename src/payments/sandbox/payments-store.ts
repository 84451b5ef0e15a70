/** SQL of the sandbox's payments and customers. */
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import type { Order, PaymentMethod, PaymentStatus } from '../port.ts'
import type { CardFate } from './cards.ts'
import type { PayableMethod, PaymentState, SandboxPayment } from './payment.ts'

export type PaymentKey = { reference: string } | { paymentId: string } | { key: string }

/** A payment that time moves to the status. */
export type DueMove = { payment: SandboxPayment; status: PaymentStatus }

const batchSize = 50

type Made = { paymentId: string; key: string; now: Date } & Pick<PaymentState, 'status' | 'next'>

/** False if the reference has a payment already. */
export async function insertPayment(db: Database, order: Order, made: Made): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sandbox_payments')
    .values({
      payment_id: made.paymentId,
      key: made.key,
      reference: order.reference,
      payer_name: order.payerName ?? null,
      method: order.method,
      due_date: order.dueDate,
      amount: order.amount,
      description: order.description,
      status: made.status,
      status_at: made.now,
      next_status: made.next?.status ?? null,
      next_at: made.next?.at ?? null,
      created_at: made.now,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const selectPayments = (db: Database) =>
  db.selectFrom('sandbox_payments').selectAll().select(sql<string>`due_date::text`.as('due'))

const selectPayment = (db: Database, by: PaymentKey) => {
  if ('key' in by) return selectPayments(db).where('key', '=', by.key)
  if ('reference' in by) return selectPayments(db).where('reference', '=', by.reference)
  return selectPayments(db).where('payment_id', '=', by.paymentId)
}

export async function findPayment(db: Database, by: PaymentKey): Promise<SandboxPayment | undefined> {
  const row = await selectPayment(db, by).executeTakeFirst()
  return row && fromRow(row)
}

/** Locks the payment until the transaction ends. */
export async function lockPayment(tx: Database, by: PaymentKey): Promise<SandboxPayment | undefined> {
  const row = await selectPayment(tx, by).forUpdate().executeTakeFirst()
  return row && fromRow(row)
}

export async function lockDue(tx: Database, now: Date): Promise<DueMove[]> {
  const rows = await selectPayments(tx)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => ({ payment: fromRow(row), status: row.next_status as PaymentStatus }))
}

export async function updatePayment(tx: Database, id: number, state: PaymentState, now: Date) {
  await tx
    .updateTable('sandbox_payments')
    .set({
      status: state.status,
      status_at: now,
      paid_with: state.paidWith,
      card_fate: state.card?.fate ?? null,
      card_last_four: state.card?.lastFour ?? null,
      next_status: state.next?.status ?? null,
      next_at: state.next?.at ?? null,
    })
    .where('id', '=', id)
    .execute()
}

export async function putCustomerRow(db: Database, customerId: string, reference: string, now: Date) {
  const row = await db
    .insertInto('sandbox_customers')
    .values({ customer_id: customerId, reference, updated_at: now })
    .onConflict((conflict) => conflict.column('reference').doUpdateSet({ updated_at: now }))
    .returning('customer_id')
    .executeTakeFirstOrThrow()
  return row.customer_id
}

function fromRow(row: Selectable<Tables['sandbox_payments']> & { due: string }): SandboxPayment {
  return {
    id: row.id,
    paymentId: row.payment_id,
    key: row.key,
    reference: row.reference,
    payerName: row.payer_name,
    method: row.method as PaymentMethod,
    paidWith: row.paid_with as PayableMethod | null,
    card: row.card_fate ? { fate: row.card_fate as CardFate, lastFour: row.card_last_four ?? '' } : null,
    dueDate: row.due,
    amount: row.amount,
    description: row.description,
    status: row.status as PaymentStatus,
    statusAt: row.status_at,
    createdAt: row.created_at,
  }
}
