/** Charges as the database has them. */
import { sql } from 'kysely'
import type { Database } from '../../../src/store/database.ts'

/** Every move of the charge, taken or not, with its cause: what an operator looks up when a payment is disputed. */
export const movesOf = (db: Database, chargeId: number) =>
  db
    .selectFrom('charge_moves')
    .select(['from_status', 'to_status', 'taken', 'cause'])
    .where('charge_id', '=', chargeId)
    .orderBy('id')
    .execute()

type Owner = { accountId: number; userId: number }

/** Cancelled charges of `1000 + n` centavos, each a minute older than the one before. */
export async function insertCharges(
  db: Database,
  { accountId, userId }: Owner,
  count: number,
  at: Date,
  metadata: string,
) {
  await sql`
    insert into charges (reference, account_id, user_id, gateway, payment_method, payment_id, due_at, amount, total,
      description, status, status_at, created_at, metadata)
    select gen_random_uuid(), ${accountId}, ${userId}, 'sandbox', 'PIX', 'pay_' || n, ${at}, 1000 + n, 1000 + n,
      '=1+' || n, 'CANCELLED', ${at}, ${at}::timestamptz - make_interval(mins => n), ${metadata}::jsonb
    from generate_series(1, ${count}) as n`.execute(db)
}

/** As a process leaves them that died after it had sent the order: neither the charge nor the answer is completed. */
export async function undoOrderAnswer(db: Database, chargeId: number, key: string) {
  await db.updateTable('charges').set({ payment_id: null }).where('id', '=', chargeId).execute()
  await db
    .updateTable('idempotency_keys')
    .set({ status: null, answer: null })
    .where('key', '=', key)
    .execute()
}
