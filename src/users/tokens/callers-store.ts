/** SQL of callers: whose token it is, and when it was last used. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { Caller } from '../caller.ts'
import { toUser, userColumns } from '../users-store.ts'
import { asBytes } from './token.ts'
import { limitsOf } from './token-limits.ts'

/** `isSuspended`: the operator has suspended the account (D616). */
export type StoredCaller = { caller: Caller; expiresAt: number; isSuspended: boolean }

export async function selectCaller(db: Database, tokenHash: string): Promise<StoredCaller | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([
      ...userColumns,
      'users.account_id',
      'access_tokens.ref',
      'access_tokens.expires_at',
      'access_tokens.scopes',
      'access_tokens.addresses',
      'access_tokens.from_login',
      'access_tokens.kind',
      'access_tokens.ttl',
      'access_tokens.look_in_reason',
      'access_tokens.created_at as token_created_at',
      'accounts.uuid as account_uuid',
      'accounts.domain',
      'accounts.time_zone',
      'accounts.suspended_at',
    ])
    .where('access_tokens.hash', '=', asBytes(tokenHash))
    .executeTakeFirst()
  if (!row) return undefined
  const caller: Caller = {
    user: toUser(row),
    accountId: row.account_id,
    accountUuid: row.account_uuid,
    domain: row.domain,
    timeZone: row.time_zone,
    tokenRef: row.ref,
    tokenEnd: row.expires_at,
    limits: limitsOf(row),
    session: row.kind === 'session' ? { ttl: row.ttl } : undefined,
    lookIn: lookInOf(row),
    loggedInAt: row.from_login ? row.token_created_at : undefined,
  }
  return {
    caller,
    expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    isSuspended: row.suspended_at !== null,
  }
}

function lookInOf({ look_in_reason: reason, expires_at: until }: TokenEnd): Caller['lookIn'] {
  return reason !== null && until ? { reason, until } : undefined
}
type TokenEnd = { look_in_reason: string | null; expires_at: Date | null }

export async function selectUserIds(db: Database, accountId: number): Promise<number[]> {
  const rows = await db.selectFrom('users').select('id').where('account_id', '=', accountId).execute()
  return rows.map(({ id }) => id)
}

/** The address is undefined where only the existence of the token was checked. */
export type TokenUse = { at: Date; address: string | undefined }
type HashAndUse = [tokenHash: string, use: TokenUse]

const tokenUses = defineUnnest<HashAndUse>('uses', {
  hash: ['bytea', ([hash]) => asBytes(hash)],
  at: ['timestamptz', ([, { at }]) => at],
  address: ['text', ([, { address }]) => address ?? null],
})

/**
 * Hashes of tokens and their last use; a later use that is stored already stays. D296: the end of a session is counted from
 * its last use, but not that of the operator's (D647).
 */
export async function updateLastUses(db: Database, uses: HashAndUse[]) {
  await sql`
    update access_tokens set
      last_used_at = greatest(last_used_at, uses.at),
      last_used_address = case when last_used_at > uses.at then last_used_address
        else coalesce(uses.address, last_used_address) end,
      expires_at = case when kind = 'session' and look_in_reason is null
        then greatest(expires_at, uses.at + make_interval(secs => ttl)) else expires_at end
    from ${tokenUses.sql(uses)}
    where access_tokens.hash = uses.hash`.execute(db)
}
