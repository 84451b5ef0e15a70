/** Creates, lists and revokes access tokens. */
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { isUuid, randomBase62, uuidv7 } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit.ts'
import type { Caller } from '../caller.ts'
import type { Callers } from './callers.ts'
import { asBytes, expiryOf, hashToken, readTtl, tokenLength } from './token.ts'
import { deleteExpiredTokens, deleteToken, insertToken, selectTokens } from './tokens-store.ts'

const maxListed = 1000

type Deps = { db: Database; clock: Clock; callers: Callers }

export function createTokens({ db, clock, callers }: Deps) {
  /** Joins the caller's transaction. The token itself is returned and not stored. */
  async function issue(tx: Database, userId: number, requestedTtl: number | undefined) {
    const id = randomBase62(tokenLength)
    const ttl = readTtl(requestedTtl)
    const created = clock.now()
    await insertToken(tx, {
      hash: asBytes(hashToken(id)),
      ref: uuidv7(created),
      user_id: userId,
      last_four: id.slice(-4),
      ttl,
      created_at: created,
      expires_at: expiryOf(ttl, created),
    })
    return { id, ttl, created }
  }

  async function create(caller: Caller, requestedTtl: number | undefined) {
    return await db.transaction().execute(async (tx) => {
      const token = await issue(tx, caller.user.id, requestedTtl)
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

  /** The caller's own tokens that have not expired, newest first. */
  async function list(caller: Caller) {
    const rows = await selectTokens(db, caller.user.id, clock.now(), maxListed)
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
      const lastFour = await deleteToken(tx, caller.user.id, ref)
      if (lastFour === undefined) throw refuse('TOKEN_NOT_FOUND')
      await callers.announceChange(tx, caller.user.id)
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: clock.now(),
        action: 'token.revoked',
        actor: caller.user.email,
        details: { lastFour },
      })
    })
    callers.forget(caller.user.id)
  }

  async function sweep() {
    await deleteExpiredTokens(db, clock.now())
  }

  return { issue, create, list, revoke, sweep }
}
export type Tokens = ReturnType<typeof createTokens>
