/** SQL of callers: whose token it is, and when it was last used. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import type { Caller } from '../caller.ts'
import { toUser } from '../users-store.ts'
import { asBytes } from './token.ts'

export async function selectCaller(
  db: Database,
  tokenHash: string,
): Promise<{ caller: Caller; expiresAt: number } | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .selectAll('users')
    .select([
      'access_tokens.ref',
      'access_tokens.expires_at',
      'accounts.uuid as account_uuid',
      'accounts.domain',
      'accounts.time_zone',
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
  }
  return { caller, expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY }
}

type TokenUse = [tokenHash: string, at: Date]

const tokenUses = defineUnnest<TokenUse>('uses', {
  hash: ['bytea', ([hash]) => asBytes(hash)],
  at: ['timestamptz', ([, at]) => at],
})

/** Hashes of tokens and when they were used; a later time that is stored already stays. */
export async function updateLastUses(db: Database, uses: TokenUse[]) {
  await sql`
    update access_tokens set last_used_at = greatest(last_used_at, uses.at)
    from ${tokenUses.sql(uses)}
    where access_tokens.hash = uses.hash`.execute(db)
}
