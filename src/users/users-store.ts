/** SQL of users. */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import type { User } from './user.ts'

/** D226: listed, since a column added by a migration would break prepared statements. */
export const userColumns = [
  'users.id',
  'users.uuid',
  'users.name',
  'users.email',
  'users.phone',
  'users.role',
  'users.email_verified',
  'users.pending_email',
  sql<boolean>`users.password_hash is null`.as('invited'),
  'users.created_at',
  'users.updated_at',
  'users.last_login_at',
] as const

type Row = Omit<Selectable<Tables['users']>, 'account_id' | 'password_hash'> & { invited?: boolean }

export function toUser(row: Row): User {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    emailVerified: row.email_verified,
    pendingEmail: row.pending_email,
    invited: row.invited ?? false,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastLoginAt: row.last_login_at,
  }
}

export function selectUsers(db: Database, accountId: number) {
  return db.selectFrom('users').select(userColumns).where('users.account_id', '=', accountId)
}

export async function selectFirstUsers(db: Database, accountId: number, limit: number): Promise<User[]> {
  const rows = await selectUsers(db, accountId).orderBy('users.id').limit(limit).execute()
  return rows.map(toUser)
}

export async function findUser(db: Database, accountId: number, uuid: string): Promise<User | undefined> {
  const row = await selectUsers(db, accountId).where('users.uuid', '=', uuid).executeTakeFirst()
  return row && toUser(row)
}

function selectWithAccount(db: Database) {
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([...userColumns, 'users.account_id', 'users.password_hash'])
    .select(['accounts.activated_at', 'accounts.suspended_at'])
}

type RowWithAccount = Row & {
  account_id: number
  password_hash: string | null
  activated_at: Date | null
  suspended_at: Date | null
}

const withAccount = (row: RowWithAccount) => ({
  user: toUser(row),
  accountId: row.account_id,
  passwordHash: row.password_hash ?? undefined,
  /** Whether the account is active. */
  active: row.activated_at !== null,
  /** D616: by the operator. */
  isSuspended: row.suspended_at !== null,
})

/** The user with what login needs; e-mail is unique across all accounts. */
export async function findUserByEmail(db: Database, email: string) {
  const row = await selectWithAccount(db).where('users.email', '=', email).executeTakeFirst()
  return row && withAccount(row)
}

export async function findUserById(db: Database, id: number) {
  const row = await selectWithAccount(db).where('users.id', '=', id).executeTakeFirst()
  return row && withAccount(row)
}

/** Waits for other transactions that change the user. */
export async function findUserLocked(db: Database, id: number) {
  const row = await selectWithAccount(db).where('users.id', '=', id).forUpdate('users').executeTakeFirst()
  return row && withAccount(row)
}

export async function findUserByEmailLocked(db: Database, email: string) {
  const row = await selectWithAccount(db)
    .where('users.email', '=', email)
    .forUpdate('users')
    .executeTakeFirst()
  return row && withAccount(row)
}

/** What a mail to the user needs. */
export async function findAddressee(db: Database, id: number) {
  const row = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.email', 'users.name', 'accounts.name as accountName', 'accounts.domain'])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

export async function hasEmail(db: Database, email: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  return row !== undefined
}

type InsertedUser = Pick<User, 'uuid' | 'name' | 'email' | 'phone' | 'role' | 'emailVerified' | 'createdAt'>

export async function insertUser(
  db: Database,
  accountId: number,
  passwordHash: string | null,
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
    .returning(userColumns)
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
    .returning(userColumns)
    .executeTakeFirstOrThrow()
  return toUser(row)
}

export async function deleteUser(db: Database, id: number) {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

export async function clearPendingEmails(db: Database, ids: number[]) {
  await db.updateTable('users').set({ pending_email: null }).where('id', 'in', ids).execute()
}

/**
 * The ids of the account's ADMINs who can log in, which an invited one cannot yet. They are locked, so that two changes
 * at once cannot leave none.
 */
export async function lockAdmins(db: Database, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'ADMIN')
    .where('password_hash', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

function selectAdmins(db: Database, accountId: number) {
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.email', 'accounts.domain'])
    .where('users.account_id', '=', accountId)
    .where('users.role', '=', 'ADMIN')
    .where('users.password_hash', 'is not', null)
    .orderBy('users.id')
}

/** Where mail to the ADMINs of an account goes. */
export async function findAdmins(db: Database, accountId: number) {
  return await selectAdmins(db, accountId).execute()
}

/** D643: for mail with names that others of the account typed; the address of a stranger would not be confirmed. */
export async function findConfirmedAdmins(db: Database, accountId: number) {
  return await selectAdmins(db, accountId).where('users.email_verified', '=', true).execute()
}

/** The names of users of the account, by uuid. */
export async function findUserNames(db: Database, accountId: number, uuids: string[]) {
  if (uuids.length === 0) return new Map<string, string>()
  const rows = await db
    .selectFrom('users')
    .select(['uuid', 'name'])
    .where('account_id', '=', accountId)
    .where('uuid', 'in', uuids)
    .execute()
  return new Map(rows.map(({ uuid, name }) => [uuid, name]))
}

/** Whether the user is the only ADMIN of an active account; its ADMINs are locked. */
export async function isOnlyAdminLocked(db: Database, userId: number): Promise<boolean> {
  const account = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('accounts.id')
    .where('users.id', '=', userId)
    .where('accounts.activated_at', 'is not', null)
    .executeTakeFirst()
  if (!account) return false
  const admins = await lockAdmins(db, account.id)
  return admins.length === 1 && admins[0] === userId
}
