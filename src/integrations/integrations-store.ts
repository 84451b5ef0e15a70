/** SQL of integrations, and the lock between changing them and writing events. */
import { CompiledQuery, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ListQuery } from '../filter/list-query.ts'
import { applyList } from '../filter/sql/list-sql.ts'
import type { Statements } from '../store/connection/pipeline.ts'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'

const columns = [
  'integrations.id',
  'integrations.code',
  'integrations.webhook',
  'integrations.given_constraint',
  'integrations.metadata',
  'integrations.secret',
  'integrations.old_secret',
  'integrations.old_secret_until',
  'integrations.last_error',
  'integrations.last_error_at',
  'integrations.created_at',
  'integrations.updated_at',
] as const

export type IntegrationRow = Omit<
  Selectable<Tables['integrations']>,
  'account_id' | 'user_id' | 'url' | 'url_login' | 'version' | 'event_types' | 'conditions'
>

function selectIntegrations(db: Database, userId: number) {
  return db.selectFrom('integrations').select(columns).where('integrations.user_id', '=', userId)
}

export async function findIntegration(
  db: Database,
  userId: number,
  id: number,
): Promise<IntegrationRow | undefined> {
  return await selectIntegrations(db, userId).where('id', '=', id).executeTakeFirst()
}

export async function listIntegrations(
  db: Database,
  userId: number,
  query: ListQuery,
): Promise<IntegrationRow[]> {
  return await applyList(selectIntegrations(db, userId), query).execute()
}

export async function lockIntegration(
  tx: Database,
  userId: number,
  id: number,
): Promise<IntegrationRow | undefined> {
  return await selectIntegrations(tx, userId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export async function insertIntegration(
  db: Database,
  row: Insertable<Tables['integrations']>,
): Promise<IntegrationRow> {
  return await db.insertInto('integrations').values(row).returning(columns).executeTakeFirstOrThrow()
}

export async function updateIntegration(
  db: Database,
  id: number,
  change: Updateable<Tables['integrations']>,
): Promise<IntegrationRow> {
  return await db
    .updateTable('integrations')
    .set(change)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteIntegration(tx: Database, userId: number, id: number) {
  return await tx
    .deleteFrom('integrations')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('code')
    .executeTakeFirst()
}

/** The user of each integration of the account. */
export async function readOwners(tx: Database, accountId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('integrations')
    .select('user_id')
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Any fixed number that no other advisory lock of ours begins with. */
const listenersLock = 72_642_520

/**
 * A transaction that writes events holds this lock of their accounts shared, one that changes an integration holds it
 * exclusively: an event that commits after an integration was created was matched against it. Locked in id order, so no
 * deadlock.
 */
export async function lockListenersShared(tx: Statements, accountIds: number[]) {
  await tx.executeQuery(CompiledQuery.raw(lockSharedText, [accountIds]))
}

const lockSharedText = `
  select pg_advisory_xact_lock_shared(${listenersLock}, hashint8(account.id))
  from (select distinct id from unnest($1::bigint[]) as given (id) order by id) as account`

export async function lockListeners(tx: Database, accountId: number) {
  await sql`select pg_advisory_xact_lock(${listenersLock}::int, hashint8(${accountId}))`.execute(tx)
}
