/** SQL of charges and of their moves. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ChargeStatus } from '../../contract/money/charges.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { readPage, selectRows } from '../../filter/sql/page-sql.ts'
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

export async function findCharges(db: Database, accountIds: number[], ids: number[]): Promise<ChargeRow[]> {
  return await db
    .selectFrom('charges')
    .selectAll()
    .where('id', 'in', ids)
    .where('account_id', 'in', accountIds)
    .where('payment_id', 'is not', null)
    .execute()
}

/** A charge of any account. */
export async function readCharge(db: Database, id: number): Promise<ChargeRow | undefined> {
  return await db.selectFrom('charges').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function readCharges(db: Database, accountId: number, query: PagedQuery) {
  return await readPage(selectCharges(db, accountId).selectAll('charges'), query)
}

/** Without their total. */
export async function readChargeRows(db: Database, accountId: number, query: PagedQuery) {
  return await selectRows(selectCharges(db, accountId).selectAll('charges'), query)
}

export async function lockCharge(tx: Database, id: number): Promise<ChargeRow | undefined> {
  return await tx.selectFrom('charges').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Found by the payment's id or, while the order is not answered yet, by our reference. */
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

/** Deletes a charge that the gateway has no payment for; false if it has one now. */
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
  /** False for a move that was not allowed, recorded only. */
  taken: boolean
  cause: string
}

export async function insertMove(tx: Database, { chargeId, at, from, to, taken, cause }: Move) {
  await tx
    .insertInto('charge_moves')
    .values({ charge_id: chargeId, at, from_status: from, to_status: to, taken, cause })
    .execute()
}

/** Claims the charges due for a poll; other processes leave them alone until `retryAt`. */
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
    .returning([
      'id',
      'reference',
      'payment_id',
      'created_at',
      'status',
      'status_at',
      'payment_method',
      'payment_code',
      'pix_code',
    ])
    .execute()
}
export type DuePoll = Awaited<ReturnType<typeof claimDuePolls>>[number]

export function toCharge(row: ChargeRow): Charge {
  return {
    id: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    description: row.description,
    status: row.status,
    payment: {
      gateway: row.gateway,
      method: row.payment_method,
      paymentId: row.payment_id,
      code: row.payment_code,
      pixCode: row.pix_code,
      link: row.payment_link,
      invoiceId: row.invoice_id,
      invoiceLink: row.invoice_link,
    },
    money: {
      amount: row.amount,
      fee: row.fee,
      total: row.total,
      refunded: row.refunded,
    },
    times: {
      dueAt: row.due_at,
      createdAt: row.created_at,
      statusAt: row.status_at,
      paidAt: row.paid_at,
      receivedAt: row.received_at,
      refundedAt: row.refunded_at,
    },
    hasErpInvoice: row.has_erp_invoice,
    metadata: row.metadata,
  }
}
