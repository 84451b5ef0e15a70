/** Changes of accounts and users that come from elsewhere: no request of the test's process makes them, and no notice tells of them. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../../src/store/database.ts'

/** As for a moment after another process removed the user: this one still knows the tokens. */
export async function removeUser(db: Database, email: string) {
  await db.deleteFrom('users').where('email', '=', email).execute()
}

/** No request removes an account. */
export async function removeAccount(db: Database, id: number) {
  await db.deleteFrom('accounts').where('id', '=', id).execute()
}

/** Without a password: no phone can register. */
export async function insertExtension(db: Database, accountId: number, number: string) {
  const now = new Date()
  const person = { first_name: 'Ana', last_name: 'Souza', email: 'ana@padaria.example' }
  const extension = { account_id: accountId, number, password: Buffer.alloc(0), record_calls: false }
  await db
    .insertInto('extensions')
    .values({ ...extension, ...person, created_at: now, updated_at: now })
    .execute()
}

export async function removeExtensions(db: Database, accountId: number) {
  await db.deleteFrom('extensions').where('account_id', '=', accountId).execute()
}

/** No request changes the e-mail of a user. */
export async function changeEmail(db: Database, uuid: string, email: string) {
  await db.updateTable('users').set({ email }).where('uuid', '=', uuid).execute()
}

/** As a transaction that commits at the same moment. */
export async function suspendAccount(db: Database, domain: string, at: Date) {
  await db
    .updateTable('accounts')
    .set({ suspended_at: at, suspension_reason: 'at the same moment' })
    .where('domain', '=', domain)
    .execute()
}

/** A scope that this version does not know, as of a later one. */
export async function setScope(db: Database, token: string, scope: string) {
  await db
    .updateTable('access_tokens')
    .set({ scopes: [scope as 'admin'] })
    .where('last_four', '=', token.slice(-4))
    .execute()
}

/** Returns when the mails that users asked for, by an e-mail address alone, are written (D147). */
export async function requestedLinksSent(db: Database) {
  await expect.poll(() => db.selectFrom('link_requests').select('id').execute()).toEqual([])
}

/**
 * Changes the password of a user and ends the tokens, in a transaction that has locked the user until the `waiting` requests
 * wait for it.
 */
export async function changePasswordUnder<T>(
  db: Database,
  uuid: string,
  waiting: { count: number; ask: () => T },
) {
  return await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('uuid', '=', uuid).forUpdate().execute()
    const asked = waiting.ask()
    await expect.poll(() => sessionsWaiting(db)).toBe(waiting.count)
    const { id } = await tx
      .updateTable('users')
      .set({ password_hash: 'of another password' })
      .where('uuid', '=', uuid)
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.deleteFrom('access_tokens').where('user_id', '=', id).execute()
    return asked
  })
}

/** Removes an extension in a transaction that ends once the request waits for it. */
export async function removeExtensionUnder<T>(db: Database, id: number, ask: () => Promise<T>) {
  return await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('extensions').where('id', '=', id).execute()
    const answer = ask()
    await expect.poll(() => sessionsWaiting(db)).toBe(1)
    return { answer }
  })
}

/** Sessions of the database that wait for any lock. */
async function sessionsWaiting(db: Database): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
