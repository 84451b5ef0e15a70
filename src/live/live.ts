/**
 * What happens in an account, live (D298): a watcher gets a snapshot, then each change as it is stored. Changes arrive as
 * hints; what they name is read again, once for all watchers, so that a watcher sees nothing but stored states.
 */
import type { Balance } from '../billing/ledger/ledger.ts'
import type { LiveCallRow } from '../calls/list/list-store.ts'
import { refuse } from '../contract/errors.ts'
import type { Log } from '../kit/process/log.ts'
import { createShares } from '../kit/shares.ts'
import type { Hint, HintKind, LiveHints } from '../store/notices/live-hints.ts'
import type { Caller } from '../users/caller.ts'
import { may } from '../users/permissions.ts'
import { hasScope } from '../users/scopes.ts'
import type { LiveCharge, LiveDelivery, LivePhone, LiveReaders } from './readers.ts'
import { createSnapshotReader } from './snapshot-reader.ts'

export type LiveChange =
  | { type: 'snapshot'; calls: LiveCallRow[]; phones: LivePhone[]; balance: Balance | undefined }
  | { type: 'call'; call: LiveCallRow }
  | { type: 'phone'; phone: LivePhone }
  | { type: 'balance'; balance: Balance }
  | { type: 'delivery'; delivery: LiveDelivery }
  | { type: 'charge'; charge: LiveCharge }

export type Watcher = {
  caller: Caller
  send: (change: LiveChange) => void
  /** Nothing is sent after it. */
  end: () => void
  /** Regularly, so that proxies keep the connection. */
  beat: () => void
}

type Watching = Watcher & {
  /** Hints that arrived while its snapshot was read: they are read again after it. Undefined once it was sent. */
  missed: Set<Hint> | undefined
  lastBalance: string
}

const maxWatchersOfUser = 20
const maxWatchers = 2_000
const beatMs = 15_000
const retryAfter = 30

type Deps = { hints: LiveHints; readers: LiveReaders; log: Log }

export function createLive({ hints, readers, log }: Deps) {
  const watchers = new Set<Watching>()
  /** By account: however many users it has, streams are left for others. */
  const shares = createShares(maxWatchers)
  const readSnapshot = createSnapshotReader(readers.snapshot)
  let waiting = new Set<Hint>()
  let isReading = false
  let stopped = false
  const timer = setInterval(beat, beatMs)
  timer.unref()

  hints.onHints((changed) => {
    if (watchers.size === 0) return
    if (changed === 'all') for (const watcher of watchers) void sendSnapshot(watcher)
    else enqueue(changed)
  })

  /** Returns how to stop watching. */
  function watch(watcher: Watcher): () => void {
    const { accountId, user } = watcher.caller
    if (stopped || countOf(user.id) >= maxWatchersOfUser || !shares.take(accountId)) {
      throw refuse('SERVICE_UNAVAILABLE', { retryAfter })
    }
    const watching: Watching = { ...watcher, missed: new Set(), lastBalance: '' }
    watchers.add(watching)
    void sendSnapshot(watching)
    return () => forget(watching)
  }

  function countOf(userId: number): number {
    let count = 0
    for (const { caller } of watchers) if (caller.user.id === userId) count += 1
    return count
  }

  function forget(watcher: Watching) {
    if (watchers.delete(watcher)) shares.release(watcher.caller.accountId)
  }

  async function sendSnapshot(watcher: Watching) {
    const { caller } = watcher
    const missed = new Set<Hint>()
    watcher.missed = missed
    try {
      const { calls, phones, balance } = await readSnapshot(caller.accountId)
      const visible = calls.filter((call) => maySeeCall(caller, call))
      const credit = maySeeCredit(caller) ? balance : undefined
      watcher.lastBalance = JSON.stringify(balance)
      watcher.send({
        type: 'snapshot',
        calls: visible,
        phones: maySeePhones(caller) ? phones : [],
        balance: credit,
      })
      // A later snapshot may be on its way already.
      if (watcher.missed === missed) watcher.missed = undefined
      enqueue(missed)
    } catch (error) {
      log.warn({ err: error }, 'a live stream ends: its snapshot could not be read')
      remove(watcher)
    }
  }

  function enqueue(changed: Iterable<Hint>) {
    for (const hint of changed) waiting.add(hint)
    if (!isReading && waiting.size > 0) void readAll()
  }

  /** One read at a time, so that no older state follows a newer one. */
  async function readAll() {
    isReading = true
    while (waiting.size > 0 && watchers.size > 0) {
      const taken = waiting
      waiting = new Set()
      try {
        await readSome(taken)
      } catch (error) {
        log.warn({ err: error }, 'live changes could not be read')
      }
    }
    waiting.clear()
    isReading = false
  }

  async function readSome(taken: Set<Hint>) {
    const accountIds = [...new Set([...watchers].map(({ caller }) => caller.accountId))]
    const idsOf = (kind: HintKind) =>
      [...taken].filter((hint) => hint.startsWith(`${kind} `)).map((hint) => hint.slice(kind.length + 1))
    const calls = await readers.calls(accountIds, idsOf('call'))
    const [phones, deliveries, charges] = await Promise.all([
      readers.phones(accountIds, idsOf('phone')),
      readers.deliveries(accountIds, idsOf('delivery')),
      readers.charges(accountIds, idsOf('charge')),
    ])
    const touched = new Set([
      ...idsOf('balance').map(Number),
      ...charges.map(({ accountId }) => accountId),
      // Credit is reserved for a call, and settled when it ends.
      ...calls.map(({ accountId }) => accountId),
    ])
    const balances = await readers.balances(accountIds.filter((id) => touched.has(id)))
    for (const watcher of watchers) {
      if (watcher.missed) {
        for (const hint of taken) watcher.missed.add(hint)
        continue
      }
      const own = <T extends { accountId: number }>(rows: T[]) =>
        rows.filter(({ accountId }) => accountId === watcher.caller.accountId)
      for (const { call } of own(calls)) {
        if (maySeeCall(watcher.caller, call)) watcher.send({ type: 'call', call })
      }
      if (maySeePhones(watcher.caller)) {
        for (const { phone } of own(phones)) watcher.send({ type: 'phone', phone })
      }
      for (const { delivery, userId } of own(deliveries)) {
        const isOwner = userId === watcher.caller.user.id && hasScope(watcher.caller, 'admin')
        if (isOwner) watcher.send({ type: 'delivery', delivery })
      }
      if (!maySeeCredit(watcher.caller)) continue
      for (const { charge } of own(charges)) watcher.send({ type: 'charge', charge })
      for (const { balance } of own(balances)) sendBalance(watcher, balance)
    }
  }

  function sendBalance(watcher: Watching, balance: Balance) {
    const text = JSON.stringify(balance)
    if (text === watcher.lastBalance) return
    watcher.lastBalance = text
    watcher.send({ type: 'balance', balance })
  }

  function remove(watcher: Watching) {
    forget(watcher)
    watcher.end()
  }

  function beat() {
    for (const watcher of watchers) watcher.beat()
  }

  return {
    watch,
    /** The user's rights have changed, or a token was revoked: those who watch are to look again. */
    recheck(userId: number) {
      for (const watcher of watchers) if (watcher.caller.user.id === userId) watcher.beat()
    },
    /** Ends every stream, and refuses new ones: the process is about to stop. */
    stop() {
      stopped = true
      clearInterval(timer)
      for (const watcher of [...watchers]) remove(watcher)
    },
  }
}
export type Live = ReturnType<typeof createLive>

/** D83: an ADMIN all calls of the account, a USER their own. */
function maySeeCall(caller: Caller, call: LiveCallRow): boolean {
  if (!hasScope(caller, 'calls:read')) return false
  return caller.user.role === 'ADMIN' || call.user_uuid === caller.user.uuid
}

const maySeePhones = (caller: Caller) => hasScope(caller, 'calls:read') || hasScope(caller, 'admin')

const maySeeCredit = (caller: Caller) => may(caller, 'credits.read') && hasScope(caller, 'billing')
