/** SQL of access tokens. */
import type { Insertable } from 'kysely'
import type { Database } from '../../store/database.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Tables } from '../../store/tables.ts'

export async function insertToken(db: Database, token: Insertable<Tables['access_tokens']>) {
  await db.insertInto('access_tokens').values(token).execute()
}

/** Tokens of the user that have not expired, newest first. */
export async function selectTokens(db: Database, userId: number, now: Date, max: number) {
  return await db
    .selectFrom('access_tokens')
    .select([
      'ref',
      'name',
      'last_four',
      'ttl',
      'created_at',
      'expires_at',
      'last_used_at',
      'last_used_address',
      'scopes',
      'addresses',
      'from_login',
      'kind',
      'user_agent',
    ])
    .where('user_id', '=', userId)
    .where((token) => token.or([token('expires_at', 'is', null), token('expires_at', '>', now)]))
    .orderBy('created_at', 'desc')
    .orderBy('ref', 'desc')
    .limit(max)
    .execute()
}

/** Tokens of all users of the account, the last used first. */
export async function selectTokensOfAccount(db: Database, accountId: number, now: Date, max: number) {
  return await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select(['users.email', 'access_tokens.ref', 'access_tokens.name', 'access_tokens.kind'])
    .select(['access_tokens.last_four', 'access_tokens.created_at', 'access_tokens.expires_at'])
    .select(['access_tokens.last_used_at', 'access_tokens.last_used_address'])
    .where('users.account_id', '=', accountId)
    .where((token) =>
      token.or([token('access_tokens.expires_at', 'is', null), token('access_tokens.expires_at', '>', now)]),
    )
    .orderBy('access_tokens.last_used_at', (order) => order.desc().nullsLast())
    .orderBy('access_tokens.ref', 'desc')
    .limit(max)
    .execute()
}

export async function findTokenOwner(db: Database, accountId: number, ref: string) {
  return await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select(['users.id', 'users.email'])
    .where('access_tokens.ref', '=', ref)
    .where('users.account_id', '=', accountId)
    .executeTakeFirst()
}

export async function hasToken(db: Database, ref: string): Promise<boolean> {
  const row = await db.selectFrom('access_tokens').select('ref').where('ref', '=', ref).executeTakeFirst()
  return row !== undefined
}

/** Returns the last four characters of the deleted token; undefined if the user has no such token. */
export async function deleteToken(db: Database, userId: number, ref: string): Promise<string | undefined> {
  const deleted = await db
    .deleteFrom('access_tokens')
    .where('ref', '=', ref)
    .where('user_id', '=', userId)
    .returning('last_four')
    .executeTakeFirst()
  return deleted?.last_four
}

/** Deletes the tokens of the user, but the one with the kept reference. */
export async function deleteTokens(db: Database, userId: number, keptRef: string | null): Promise<number> {
  const tokens = db.deleteFrom('access_tokens').where('user_id', '=', userId)
  const deleted = await (keptRef === null ? tokens : tokens.where('ref', '<>', keptRef)).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes the tokens of all users of the account. Returns how many there were. */
export async function deleteTokensOfAccount(
  db: Database,
  accountId: number,
  which: 'sessions' | 'all',
): Promise<number> {
  const tokens = db
    .deleteFrom('access_tokens')
    .where('user_id', 'in', (users) =>
      users.selectFrom('users').select('id').where('account_id', '=', accountId),
    )
  const deleted = await (which === 'all' ? tokens : tokens.where('kind', '=', 'session')).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

export async function deleteExpiredTokens(db: Database, now: Date) {
  await deleteInBatches(db, { table: 'access_tokens', column: 'expires_at', before: now })
}
