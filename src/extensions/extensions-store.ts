import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { isVerifiedFor, type ProofPolicy } from '../numbers/ownership-sql.ts'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import { firstNumber, lastNumber } from './extension.ts'

const columns = [
  'extensions.id',
  'extensions.number',
  'extensions.password',
  'extensions.caller_id',
  'extensions.first_name',
  'extensions.last_name',
  'extensions.email',
  'extensions.record_calls',
  'extensions.user_id',
] as const

/** For a `returning` as well, which cannot join, as the next one. */
const ownerUuid = sql<string | null>`(select uuid from users where users.id = extensions.user_id)`

const callerVerified = (policy: ProofPolicy) =>
  sql<boolean>`${sql.raw(isVerifiedFor('extensions.account_id', 'extensions.caller_number', policy))}`

type StoredRow = Pick<
  Selectable<Tables['extensions']>,
  | 'id'
  | 'number'
  | 'password'
  | 'caller_id'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'record_calls'
  | 'user_id'
> & { user_uuid: string | null; caller_verified: boolean }

/** The user of the account who has this e-mail now. */
function userWithEmail(accountId: number, email: string): RawBuilder<number | null> {
  return sql<number | null>`(select id from users where account_id = ${accountId} and email = ${email})`
}

/** With the registered phone, if any. */
export type ExtensionRow = StoredRow & { registered_at: Date | null; user_agent: string | null }

export function selectExtensions(db: Database, accountId: number, now: Date, policy: ProofPolicy) {
  return db
    .selectFrom('extensions')
    .leftJoin('registrations', (join) =>
      join.onRef('registrations.extension_id', '=', 'extensions.id').on('registrations.expires_at', '>', now),
    )
    .select(columns)
    .select([ownerUuid.as('user_uuid'), callerVerified(policy).as('caller_verified')])
    .select(['registrations.registered_at', 'registrations.user_agent'])
    .where('extensions.account_id', '=', accountId)
}

/** Locks the row until the transaction ends, and returns it as it was before the change. */
export async function lockExtension(tx: Database, accountId: number, id: number) {
  return await tx
    .selectFrom('extensions')
    .select(['number', 'password', 'email', 'user_id', 'caller_number'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** D148: it belongs to the user with its e-mail. Call `lockNumbers` first: the user may be made just now. */
export async function insertExtension(
  db: Database,
  row: Omit<Insertable<Tables['extensions']>, 'user_id'>,
  policy: ProofPolicy,
): Promise<StoredRow> {
  return await db
    .insertInto('extensions')
    .values({ ...row, user_id: userWithEmail(row.account_id, row.email) })
    .returning(columns)
    .returning([ownerUuid.as('user_uuid'), callerVerified(policy).as('caller_verified')])
    .executeTakeFirstOrThrow()
}

/** `ownerEmail`: the extension is given to the user who has it. Call `lockNumbers` first. */
export async function updateExtension(
  db: Database,
  accountId: number,
  id: number,
  change: Omit<Updateable<Tables['extensions']>, 'user_id'>,
  policy: ProofPolicy,
  ownerEmail?: string,
): Promise<StoredRow | undefined> {
  return await db
    .updateTable('extensions')
    .set({
      ...change,
      ...(ownerEmail !== undefined && { user_id: userWithEmail(accountId, ownerEmail) }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .returning([ownerUuid.as('user_uuid'), callerVerified(policy).as('caller_verified')])
    .executeTakeFirst()
}

export async function deleteExtension(db: Database, accountId: number, id: number) {
  return await db
    .deleteFrom('extensions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['number', 'caller_number'])
    .executeTakeFirst()
}

export async function findRegistration(db: Database, id: number, now: Date) {
  return await db
    .selectFrom('registrations')
    .select(['registered_at', 'user_agent'])
    .where('extension_id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** With the links for setting a phone up, which would hand out the password that is valid now. */
export async function deleteRegistration(db: Database, id: number) {
  await db.deleteFrom('registrations').where('extension_id', '=', id).execute()
  await db.deleteFrom('phone_setup_links').where('extension_id', '=', id).execute()
}

/** Locks the account's row, so that one transaction at a time gives out extension numbers and owners. */
export async function lockNumbers(tx: Database, accountId: number) {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}

/** Call `lockNumbers` first. */
export async function findFreeNumber(
  tx: Database,
  accountId: number,
  first = firstNumber,
  last = lastNumber,
): Promise<string | undefined> {
  const { rows } = await sql<{ number: string | null }>`
    select min(free.number)::text as number
    from (
      select ${first}::int as number
      union all
      select number::int + 1 from extensions
      where account_id = ${accountId} and number ~ '^[1-9]' and number::int between ${first} and ${last - 1}
    ) as free
    where not exists (
      select from extensions where account_id = ${accountId} and extensions.number = free.number::text
    )`.execute(tx)
  return rows[0]?.number ?? undefined
}

export async function findSealedPassword(
  db: Database,
  { domain, number }: { domain: string; number: string },
): Promise<{ password: Buffer; blocks: string[] | null; suspended_at: Date | null } | undefined> {
  return await db
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .leftJoin('phone_addresses', 'phone_addresses.extension_id', 'extensions.id')
    .select(['extensions.password', 'phone_addresses.blocks', 'accounts.suspended_at'])
    .where('accounts.domain', '=', domain)
    .where('extensions.number', '=', number)
    .executeTakeFirst()
}

/** Whether the user is of its account, and an ADMIN or its owner. */
export async function mayUseExtension(
  db: Database,
  { domain, number }: { domain: string; number: string },
  userId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select('extensions.id')
    .where('accounts.domain', '=', domain)
    .where('extensions.number', '=', number)
    .where('users.id', '=', userId)
    .where((where) =>
      where.or([where('users.role', '=', 'ADMIN'), where('extensions.user_id', '=', where.ref('users.id'))]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Those of a user, locked until the transaction ends. */
export async function lockExtensionsOf(tx: Database, userId: number) {
  return await tx
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .select(['extensions.id', 'extensions.number', 'extensions.account_id', 'accounts.domain'])
    .where('extensions.user_id', '=', userId)
    .orderBy('extensions.id')
    .forUpdate('extensions')
    .execute()
}

export async function setPassword(tx: Database, id: number, password: Buffer, now: Date) {
  await tx.updateTable('extensions').set({ password, updated_at: now }).where('id', '=', id).execute()
}

/** A page of all extensions whose accounts are not suspended, in id order. */
export async function readSealedPasswords(db: Database, after: number, limit: number) {
  return await db
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .select(['extensions.id', 'extensions.number', 'extensions.password', 'accounts.domain'])
    .where('extensions.id', '>', after)
    .where('accounts.suspended_at', 'is', null)
    .orderBy('extensions.id')
    .limit(limit)
    .execute()
}
