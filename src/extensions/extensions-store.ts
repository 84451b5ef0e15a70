import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
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
] as const

type StoredRow = Pick<
  Selectable<Tables['extensions']>,
  'id' | 'number' | 'password' | 'caller_id' | 'first_name' | 'last_name' | 'email' | 'record_calls'
>

/** With the registered phone, if any. */
export type ExtensionRow = StoredRow & { registered_at: Date | null; user_agent: string | null }

export function selectExtensions(db: Database, accountId: number, now: Date) {
  return db
    .selectFrom('extensions')
    .leftJoin('registrations', (join) =>
      join.onRef('registrations.extension_id', '=', 'extensions.id').on('registrations.expires_at', '>', now),
    )
    .select(columns)
    .select(['registrations.registered_at', 'registrations.user_agent'])
    .where('extensions.account_id', '=', accountId)
}

/** Locks the row until the transaction ends, and returns it as it was before the change. */
export async function lockExtension(tx: Database, accountId: number, id: number) {
  return await tx
    .selectFrom('extensions')
    .select(['number', 'password'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertExtension(
  db: Database,
  row: Insertable<Tables['extensions']>,
): Promise<StoredRow> {
  return await db.insertInto('extensions').values(row).returning(columns).executeTakeFirstOrThrow()
}

export async function updateExtension(
  db: Database,
  accountId: number,
  id: number,
  change: Updateable<Tables['extensions']>,
): Promise<StoredRow | undefined> {
  return await db
    .updateTable('extensions')
    .set(change)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteExtension(db: Database, accountId: number, id: number) {
  return await db
    .deleteFrom('extensions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('number')
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

export async function deleteRegistration(db: Database, id: number) {
  await db.deleteFrom('registrations').where('extension_id', '=', id).execute()
}

/** Locks the account's row, so that one transaction at a time gives out extension numbers. */
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
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .select('extensions.password')
    .where('accounts.domain', '=', domain)
    .where('extensions.number', '=', number)
    .executeTakeFirst()
  return row?.password
}

/** A page of all extensions, in id order. */
export async function readSealedPasswords(db: Database, after: number, limit: number) {
  return await db
    .selectFrom('extensions')
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .select(['extensions.id', 'extensions.number', 'extensions.password', 'accounts.domain'])
    .where('extensions.id', '>', after)
    .orderBy('extensions.id')
    .limit(limit)
    .execute()
}
