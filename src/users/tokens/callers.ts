/**
 * Finds the caller of a request by its access token. Callers are cached (D64): a process drops those it changes itself
 * at once, and those another process changed when the database's notice arrives.
 */
import type { TokenKind } from '../../contract/accounts/users.ts'
import { refuse } from '../../contract/errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { andThen, type Maybe } from '../../kit/maybe.ts'
import { isDatabaseDown } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import { type Notices, notify, notifyAll } from '../../store/notices/notices.ts'
import { createNotifiedCache } from '../../store/notices/notified-cache.ts'
import type { Caller } from '../caller.ts'
import {
  type StoredCaller,
  selectCaller,
  selectUserIds,
  type TokenUse,
  updateLastUses,
} from './callers-store.ts'
import { hashToken } from './token.ts'

const channel = 'callers_changed'

type Deps = { db: Database; clock: Clock; notices: Notices }

export function createCallers({ db, clock, notices }: Deps) {
  /** By the hash of the token. */
  const cache = createNotifiedCache<StoredCaller>({
    notices,
    clock,
    lifetimeMs: 60_000,
    maxEntries: 20_000,
    ownerOf: ({ caller }) => caller.user.id,
  })
  const listeners: ((userId: number) => void)[] = []
  const lastUses = new Map<string, TokenUse>()

  notices.listen(channel, (userId) => forget(Number(userId)))

  /**
   * Answers synchronously when cached. `address` is where the request came from (D144). A token of another kind is unknown:
   * the value of a session's cookie is no access token for the header, nor the other way round (D296). `mayBeStale`: while
   * the database does not answer, the caller as this process knew it last (D242). Throws if the account is suspended (D616),
   * except for the operator, who looks at why (D647).
   */
  function find(
    token: string,
    address?: string,
    kind: TokenKind = 'token',
    mayBeStale = false,
  ): Maybe<Caller | undefined> {
    const hash = hashToken(token)
    const now = clock.now()
    const cached = cache.get(hash)
    const load = mayBeStale ? loadOrRecall : loadFresh
    return andThen(cached ? cached.value : load(hash), (found) => {
      if (!found || found.expiresAt <= now.getTime()) return undefined
      if ((found.caller.session !== undefined) !== (kind === 'session')) return undefined
      if (found.isSuspended && !found.caller.lookIn) throw refuse('ACCOUNT_SUSPENDED')
      lastUses.set(hash, { at: now, address: address ?? lastUses.get(hash)?.address })
      return found.caller
    })
  }

  const loadFresh = (hash: string) => cache.load(hash, () => selectCaller(db, hash))

  function loadOrRecall(hash: string): Maybe<StoredCaller | undefined> {
    const known = cache.lastKnown(hash)
    if (known && !notices.connected()) return known
    return loadFresh(hash).catch((error: unknown) => {
      const recalled = cache.lastKnown(hash)
      if (recalled && isDatabaseDown(error)) return recalled
      throw error
    })
  }

  /** After a commit that changed the user or the user's tokens. */
  function forget(userId: number) {
    cache.invalidateOwner(userId)
    for (const listener of listeners) listener(userId)
  }

  /** In the transaction that changes the user: when it commits, the other processes forget the user too. */
  async function announceChange(tx: Database, userId: number) {
    await notify(tx, channel, String(userId))
  }

  /** The same for all users of an account. Returns their ids, for `forget` after the commit. */
  async function announceAccountChange(tx: Database, accountId: number): Promise<number[]> {
    const userIds = await selectUserIds(tx, accountId)
    await notifyAll(
      tx,
      userIds.map((id) => ({ channel, payload: String(id) })),
    )
    return userIds
  }

  /** Writes when and from where each token was last used, in one statement. */
  async function tick() {
    if (lastUses.size === 0) return
    const uses = [...lastUses]
    lastUses.clear()
    await updateLastUses(db, uses)
  }

  return {
    find,
    forget,
    announceChange,
    announceAccountChange,
    /** The user, or a token of the user, has changed. */
    onChanged(listener: (userId: number) => void) {
      listeners.push(listener)
    },
    tick,
  }
}
export type Callers = ReturnType<typeof createCallers>
