/** SQL that ends the registrations of all phones of an account. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'

/**
 * Marks every extension as changed, so that a node which misses the notice forgets its phones all the same (D500). Returns
 * the numbers.
 */
export async function touchExtensions(tx: Database, accountId: number, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('extensions')
    .set({ updated_at: now })
    .where('account_id', '=', accountId)
    .returning('number')
    .execute()
  return rows.map(({ number }) => number)
}

/** Locked in id order, as registrations are stored, so no deadlock. */
export async function deleteRegistrationsOf(tx: Database, accountId: number) {
  await sql`
    with gone as materialized (
      select extension_id from registrations
      where extension_id in (select id from extensions where account_id = ${accountId})
      order by extension_id for update)
    delete from registrations using gone where registrations.extension_id = gone.extension_id`.execute(tx)
}
