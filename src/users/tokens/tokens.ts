/** Creates, lists and revokes access tokens. */

import { refuse } from '../../contract/errors.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { defined } from '../../kit/defined.ts'
import { isUuid, randomBase62, uuidv7 } from '../../kit/ids.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Caller } from '../caller.ts'
import type { Credentials, Reauthentication } from '../login/reauthentication.ts'
import { checkMay, may } from '../permissions.ts'
import { findUser, findUserLocked } from '../users-store.ts'
import type { Callers } from './callers.ts'
import { asBytes, defaultTtl, expiryOf, hashToken, tokenLength } from './token.ts'
import { readLimits, type TokenMaker, type WantedLimits } from './token-limits.ts'
import {
  deleteExpiredTokens,
  deleteToken,
  deleteTokens,
  deleteTokensOfAccount,
  findTokenOwner,
  hasToken,
  insertToken,
  selectTokens,
  selectTokensOfAccount,
} from './tokens-store.ts'

const maxListed = 1000

type Deps = { db: Database; clock: Clock; callers: Callers; reauthentication: Reauthentication }

type Owner = { id: number; email: string }

type NewToken = WantedLimits & {
  /** What its owner calls it (D144). */
  name?: string | undefined
}

type Issue = NewToken & {
  /** The token it is made with. */
  maker?: TokenMaker | undefined
  fromLogin?: true
  session?: NewSession | undefined
  /** D647: why the operator looks in. */
  lookInReason?: string | undefined
}

/** Where a session of the console begins (D296). */
export type NewSession = { userAgent: string | undefined; address: string }

export function createTokens({ db, clock, callers, reauthentication }: Deps) {
  /** Joins the caller's transaction. The token itself is returned and not stored. */
  async function issue(tx: Database, userId: number, wanted: Issue) {
    const id = randomBase62(tokenLength)
    const created = clock.now()
    const { ttl, scopes, addresses } = readLimits(wanted, wanted.maker, created)
    await insertToken(tx, {
      hash: asBytes(hashToken(id)),
      ref: uuidv7(created),
      user_id: userId,
      name: wanted.name ?? null,
      last_four: id.slice(-4),
      ttl,
      created_at: created,
      expires_at: expiryOf(ttl, created),
      scopes,
      addresses,
      from_login: wanted.fromLogin ?? false,
      look_in_reason: wanted.lookInReason ?? null,
      ...(wanted.session && {
        kind: 'session' as const,
        user_agent: wanted.session.userAgent ?? null,
        last_used_at: created,
        last_used_address: wanted.session.address,
      }),
    })
    return { id, ttl, created, ...(scopes && { scopes }), ...(addresses && { addresses }) }
  }

  /** D491: with the password of the user it may outlive the token it is made with. */
  async function create(caller: Caller, wanted: NewToken, credentials: Credentials) {
    const isAsked = credentials.password !== undefined
    const finish = isAsked ? await reauthentication.begin(caller, credentials) : undefined
    return await db.transaction().execute(async (tx) => {
      // Locked: when all tokens of the user are ended at the same moment, this one must not escape.
      const holder = await findUserLocked(tx, caller.user.id)
      if (!holder || !(await hasToken(tx, caller.tokenRef))) throw refuse('INVALID_TOKEN')
      await finish?.(tx, holder)
      const isUnbound = isPlainLogin(caller) || (isAsked && !caller.limits)
      const maker = { limits: caller.limits, end: isUnbound ? null : caller.tokenEnd }
      const token = await issue(tx, caller.user.id, { ...wanted, maker })
      const { name } = wanted
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: token.created,
        action: 'token.created',
        actor: caller.user.email,
        details: {
          lastFour: token.id.slice(-4),
          ttl: token.ttl,
          ...(name && { name }),
          ...(token.scopes && { scopes: token.scopes }),
          ...(token.addresses && { addresses: token.addresses }),
        },
      })
      return { ...token, userId: caller.user.uuid, ...defined({ name }) }
    })
  }

  /** The tokens of the caller, or of the user an ADMIN names, that have not expired, newest first. */
  async function list(caller: Caller, uuid: string | undefined) {
    const user = await findOwner(caller, uuid)
    const rows = await selectTokens(db, user.id, clock.now(), maxListed)
    return rows.map((row) => ({
      ref: row.ref,
      name: row.name,
      lastFour: row.last_four,
      ttl: row.ttl,
      created: row.created_at,
      expires: row.expires_at,
      lastUsed: row.last_used_at,
      lastUsedAddress: row.last_used_address,
      scopes: row.scopes,
      addresses: row.addresses,
      kind: row.kind,
      userAgent: row.user_agent,
      fromLogin: row.from_login,
      current: row.ref === caller.tokenRef,
    }))
  }

  /** A token of the caller or, for an ADMIN, of any user of the account. */
  async function revoke(caller: Caller, ref: string) {
    const owner = isUuid(ref) ? await findTokenOwner(db, caller.accountId, ref) : undefined
    const isOwn = owner?.id === caller.user.id
    if (!owner || !(isOwn || may(caller, 'tokens.others'))) throw refuse('TOKEN_NOT_FOUND')
    await db.transaction().execute(async (tx) => {
      const lastFour = await deleteToken(tx, owner.id, ref)
      if (lastFour === undefined) throw refuse('TOKEN_NOT_FOUND')
      await announceRevoked(tx, caller, owner, { lastFour })
    })
    callers.forget(owner.id)
  }

  /** D296: ends the session of the request. */
  async function endSession(caller: Caller) {
    if (!caller.session) throw refuse('TOKEN_NOT_FOUND')
    await db.transaction().execute(async (tx) => {
      const lastFour = await deleteToken(tx, caller.user.id, caller.tokenRef)
      if (lastFour === undefined) return
      await callers.announceChange(tx, caller.user.id)
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: clock.now(),
        action: caller.lookIn ? 'account.look-in-ended' : 'session.ended',
        actor: caller.lookIn ? null : caller.user.email,
        details: { lastFour },
      })
    })
    callers.forget(caller.user.id)
  }

  /** All tokens of the caller, but the one in use, or of the user an ADMIN names. */
  async function revokeAll(caller: Caller, uuid: string | undefined): Promise<number> {
    const user = await findOwner(caller, uuid)
    const kept = user.id === caller.user.id ? caller.tokenRef : null
    const revoked = await db.transaction().execute(async (tx) => {
      await findUserLocked(tx, user.id)
      const tokens = await deleteTokens(tx, user.id, kept)
      await announceRevoked(tx, caller, user, { tokens })
      return tokens
    })
    callers.forget(user.id)
    return revoked
  }

  async function announceRevoked(tx: Database, caller: Caller, user: Owner, details: object) {
    await callers.announceChange(tx, user.id)
    await recordAudit(tx, {
      accountId: caller.accountId,
      at: clock.now(),
      action: 'token.revoked',
      actor: caller.user.email,
      subject: user.email,
      details: { ...details },
    })
  }

  async function findOwner(caller: Caller, uuid: string | undefined): Promise<Owner> {
    if (uuid === undefined || uuid === caller.user.uuid) return caller.user
    checkMay(caller, 'tokens.others')
    const user = isUuid(uuid) ? await findUser(db, caller.accountId, uuid) : undefined
    if (!user) throw refuse('USER_NOT_FOUND')
    return user
  }

  /** Tokens of all users of an account, for the operator, without expired ones, the last used first. */
  const ofAccount = (accountId: number, limit: number) =>
    selectTokensOfAccount(db, accountId, clock.now(), limit)

  async function sweep() {
    await deleteExpiredTokens(db, clock.now())
  }

  return {
    issue,
    create,
    list,
    revoke,
    endSession,
    revokeAll,
    ofAccount,
    /** In a transaction of the caller, which announces the change of the account's users. Returns how many ended. */
    endOfAccount: deleteTokensOfAccount,
    sweep,
  }
}
export type Tokens = ReturnType<typeof createTokens>

/**
 * D491: of a login as clients make it, with the password and for the usual time at least. The contract has them make
 * tokens that never end.
 */
function isPlainLogin({ loggedInAt, session, tokenEnd }: Caller): boolean {
  if (!loggedInAt || session) return false
  return tokenEnd === null || tokenEnd >= plusSeconds(loggedInAt, defaultTtl)
}
