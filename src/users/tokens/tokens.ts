/** Access tokens: made, checked, listed, revoked. */
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { isUuid, randomBase62, uuidv7 } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit.ts'
import type { Caller } from '../caller.ts'
import type { Callers } from './callers.ts'
import { asBytes, expiryOf, hashToken, readTtl, tokenLength } from './token.ts'

const mostListed = 1000

type Deps = { db: Database; clock: Clock; callers: Callers }

export function createTokens({ db, clock, callers }: Deps) {
  /** Joins the caller's transaction. The token itself is in the answer and nowhere else. */
  async function issue(tx: Database, userId: number, wishedTtl: number | undefined) {
    const id = randomBase62(tokenLength)
    const ttl = readTtl(wishedTtl)
    const created = clock.now()
    await tx
      .insertInto('access_tokens')
      .values({
        hash: asBytes(hashToken(id)),
        ref: uuidv7(created),
        user_id: userId,
        last_four: id.slice(-4),
        ttl,
        created_at: created,
        expires_at: expiryOf(ttl, created),
      })
      .execute()
    return { id, ttl, created }
  }

  async function create(caller: Caller, wishedTtl: number | undefined) {
    return await db.transaction().execute(async (tx) => {
      const token = await issue(tx, caller.user.id, wishedTtl)
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: token.created,
        action: 'token.created',
        actor: caller.user.email,
        details: { lastFour: token.id.slice(-4), ttl: token.ttl },
      })
      return { ...token, userId: caller.user.uuid }
    })
  }

  /** The caller's own living tokens, newest first. */
  async function list(caller: Caller) {
    const rows = await db
      .selectFrom('access_tokens')
      .select(['ref', 'last_four', 'ttl', 'created_at', 'expires_at', 'last_used_at'])
      .where('user_id', '=', caller.user.id)
      .where((token) => token.or([token('expires_at', 'is', null), token('expires_at', '>', clock.now())]))
      .orderBy('created_at', 'desc')
      .orderBy('ref', 'desc')
      .limit(mostListed)
      .execute()
    return rows.map((row) => ({
      ref: row.ref,
      lastFour: row.last_four,
      ttl: row.ttl,
      created: row.created_at,
      expires: row.expires_at,
      lastUsed: row.last_used_at,
      current: row.ref === caller.tokenRef,
    }))
  }

  async function revoke(caller: Caller, ref: string) {
    if (!isUuid(ref)) throw refuse('TOKEN_NOT_FOUND')
    await db.transaction().execute(async (tx) => {
      const gone = await tx
        .deleteFrom('access_tokens')
        .where('ref', '=', ref)
        .where('user_id', '=', caller.user.id)
        .returning('last_four')
        .executeTakeFirst()
      if (!gone) throw refuse('TOKEN_NOT_FOUND')
      await callers.announceChange(tx, caller.user.id)
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: clock.now(),
        action: 'token.revoked',
        actor: caller.user.email,
        details: { lastFour: gone.last_four },
      })
    })
    callers.forget(caller.user.id)
  }

  async function sweep() {
    await db.deleteFrom('access_tokens').where('expires_at', '<', clock.now()).execute()
  }

  return { issue, create, list, revoke, sweep }
}
export type Tokens = ReturnType<typeof createTokens>
