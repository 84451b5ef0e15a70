/** SQL of the addresses from which users have logged in (D146). */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'

const maxAddresses = 8

export async function isLoginAddress(db: Database, email: string, block: string): Promise<boolean> {
  const row = await db
    .selectFrom('login_addresses')
    .innerJoin('users', 'users.id', 'login_addresses.user_id')
    .select('users.id')
    .where('users.email', '=', email)
    .where('login_addresses.block', '=', block)
    .executeTakeFirst()
  return row !== undefined
}

/** The latest few are kept. In a transaction that has the user locked. */
export async function putLoginAddress(tx: Database, userId: number, block: string, now: Date) {
  await tx
    .insertInto('login_addresses')
    .values({ user_id: userId, block, seen_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'block']).doUpdateSet({ seen_at: now }))
    .execute()
  await sql`
    delete from login_addresses where user_id = ${userId} and block not in (
      select block from login_addresses where user_id = ${userId}
      order by seen_at desc, block limit ${maxAddresses})`.execute(tx)
}
