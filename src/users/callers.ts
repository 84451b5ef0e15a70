/**
 * Finds who is calling by their access token. Found callers are remembered for a while (D64): they are
 * forgotten as soon as this process changes them, and, told by the database, a moment after another
 * process did. While the database cannot tell us, nothing is remembered.
 */
import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { andThen, type Maybe } from '../kit/maybe.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'
import type { Caller } from './caller.ts'
import { asBytes, hashToken } from './token.ts'
import { toUser } from './users-store.ts'

const channel = 'callers_changed'
const rememberedMs = 60_000
const mostRemembered = 20_000

type Known = { caller: Caller; expiresAt: number; rememberedUntil: number }

type Deps = { db: Database; clock: Clock; notices: Notices }

export function createCallers({ db, clock, notices }: Deps) {
  /** By the hash of the token, as text: a key that is quick to look up. */
  const known = new Map<string, Known>()
  const tokensOf = new Map<number, Set<string>>()
  const used = new Map<string, Date>()
  /** Counts forgettings: what was read from the database before one is not remembered after it. */
  let forgettings = 0

  notices.listen(channel, (userId) => forget(Number(userId)))
  notices.onGap(forgetAll)

  /** At once when remembered. */
  function find(token: string): Maybe<Caller | undefined> {
    const key = hashToken(token)
    const now = clock.now()
    const remembered = known.get(key)
    const fresh = remembered !== undefined && remembered.rememberedUntil > now.getTime()
    return andThen(fresh ? remembered : look(key, now), (found) => {
      if (!found || found.expiresAt <= now.getTime()) return undefined
      used.set(key, now)
      return found.caller
    })
  }

  async function look(key: string, now: Date): Promise<Known | undefined> {
    const before = forgettings
    drop(key)
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
      .where('access_tokens.hash', '=', asBytes(key))
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
    const found: Known = {
      caller,
      expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      rememberedUntil: now.getTime() + rememberedMs,
    }
    if (notices.connected() && forgettings === before) remember(key, found)
    return found
  }

  function remember(key: string, found: Known) {
    const [oldest] = known.keys()
    if (known.size >= mostRemembered && oldest !== undefined) drop(oldest)
    known.set(key, found)
    const keys = tokensOf.get(found.caller.user.id)
    if (keys) keys.add(key)
    else tokensOf.set(found.caller.user.id, new Set([key]))
  }

  function drop(key: string) {
    const userId = known.get(key)?.caller.user.id
    if (userId === undefined) return
    known.delete(key)
    const keys = tokensOf.get(userId)
    keys?.delete(key)
    if (keys?.size === 0) tokensOf.delete(userId)
  }

  /** After a commit that changed the user or the user's tokens. */
  function forget(userId: number) {
    forgettings += 1
    for (const key of tokensOf.get(userId) ?? []) drop(key)
  }

  function forgetAll() {
    forgettings += 1
    known.clear()
    tokensOf.clear()
  }

  /** In the transaction that changes the user: the other processes hear of it when it commits. */
  async function announceChange(tx: Database, userId: number) {
    await sql`select pg_notify(${channel}, ${String(userId)})`.execute(tx)
  }

  /** When each token was last used goes to the database in one statement now and then. */
  async function tick() {
    if (used.size === 0) return
    const hashes = [...used.keys()].map(asBytes)
    const times = [...used.values()]
    used.clear()
    await sql`
      update access_tokens set last_used_at = greatest(last_used_at, uses.at)
      from unnest(${hashes}::bytea[], ${times}::timestamptz[]) as uses (hash, at)
      where access_tokens.hash = uses.hash`.execute(db)
  }

  return { find, forget, announceChange, tick }
}
export type Callers = ReturnType<typeof createCallers>
