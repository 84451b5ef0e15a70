/** SQL of users. */
import type { Selectable, Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import type { User } from './user.ts'

const columns = [
  'users.id',
  'users.uuid',
  'users.name',
  'users.email',
  'users.phone',
  'users.role',
  'users.email_verified',
  'users.created_at',
  'users.updated_at',
  'users.last_login_at',
] as const

type Row = Omit<Selectable<Tables['users']>, 'account_id' | 'password_hash'>

export function toUser(row: Row): User {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    emailVerified: row.email_verified,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastLoginAt: row.last_login_at,
  }
}

export function selectUsers(db: Database, accountId: number) {
  return db.selectFrom('users').select(columns).where('users.account_id', '=', accountId)
}

export async function findUser(db: Database, accountId: number, uuid: string): Promise<User | undefined> {
  const row = await selectUsers(db, accountId).where('users.uuid', '=', uuid).executeTakeFirst()
  return row && toUser(row)
}

/** The user with what login needs; e-mail is unique across all accounts. */
export async function findUserByEmail(db: Database, email: string) {
  const row = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([...columns, 'users.account_id', 'users.password_hash', 'accounts.activated_at'])
    .where('users.email', '=', email)
    .executeTakeFirst()
  return (
    row && {
      user: toUser(row),
      accountId: row.account_id,
      passwordHash: row.password_hash,
      active: row.activated_at !== null,
    }
  )
}

export async function hasEmail(db: Database, email: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

type InsertedUser = Pick<User, 'uuid' | 'name' | 'email' | 'phone' | 'role' | 'emailVerified' | 'createdAt'>

export async function insertUser(
  db: Database,
  accountId: number,
  passwordHash: string,
  user: InsertedUser,
): Promise<User> {
  const row = await db
    .insertInto('users')
    .values({
      uuid: user.uuid,
      account_id: accountId,
      name: user.name,
      email: user.email,
      phone: user.phone,
      role: user.role,
      password_hash: passwordHash,
      email_verified: user.emailVerified,
      created_at: user.createdAt,
      updated_at: user.createdAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toUser(row)
}

export async function updateUser(
  db: Database,
  id: number,
  change: Updateable<Tables['users']>,
): Promise<User> {
  const row = await db
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toUser(row)
}

/** Locks the account's ADMINs, so that two demotions at once cannot leave none. */
export async function countAdminsLocked(db: Database, accountId: number): Promise<number> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'ADMIN')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.length
}

/** Waits for other transactions that hold the user's lock. */
export async function lockUser(db: Database, id: number) {
  await db.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

export async function findAccountOf(db: Database, userId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('account_id')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.account_id
}
