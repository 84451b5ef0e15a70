/**
 * D176: how many calls may live at once on this voice node, by extension and by account, and how often the phone of an
 * extension may dial. Counted in memory: a call costs no statement more.
 *
 * The last fifth of the node's calls is a reserve: an account that has five already gets none of it, so that no account
 * can take the sound ports that the others need.
 *
 * D272: calls to services and emergency are free, and refused only where the node is full. An extension has two of them at
 * once, as one may have got stuck; another one ends the oldest.
 */

import { andThen, type Maybe } from '../kit/maybe.ts'
import type { Timers } from '../kit/timers.ts'
import { fullBucket, type TokenBucket, takeToken } from '../kit/token-bucket.ts'
import type { CallsAtOnce } from './limit.ts'

export type CeilingSettings = {
  /** As many as there are ports for. */
  perNode: number
  /** Calls that the phone of one extension may dial. */
  attemptsPerMinute: number
}

export type CeilingRefusal = { reached: 'extension' | 'account' | 'node'; max: number }

/** `isFree`: to a service or an emergency number. */
type Owner = { accountId: number; extensionId: number; isFree?: boolean | undefined }
type Entry = Owner & { since: number }

const reserveShare = 0.2
const callsWithinReserve = 5
const maxFreeCalls = 2
/** By then the engine knows every call that was let in. */
const settledMs = 60_000
const maxBuckets = 50_000

type Deps = {
  settings: CeilingSettings
  /** Synchronously when cached. */
  atOnceOf(accountId: number): Maybe<CallsAtOnce>
  timers: Timers
  liveCalls(): string[]
  /** Releases it, too. */
  endCall(callId: string): void
  /** An account, or an extension of it, has as many calls as it may have. */
  onReached?: ((accountId: number, max: number) => void) | undefined
}

export function createCallCeilings({ settings, atOnceOf, timers, liveCalls, endCall, onReached }: Deps) {
  const { perNode, attemptsPerMinute } = settings
  const calls = new Map<string, Entry>()
  const byExtension = new Map<number, number>()
  const byAccount = new Map<number, number>()
  const buckets = new Map<string, TokenBucket>()
  const rate = { perSecond: attemptsPerMinute / 60, burst: attemptsPerMinute }

  function reached({ accountId, extensionId, isFree }: Owner, most: CallsAtOnce): CeilingRefusal | undefined {
    if (isFree) return calls.size < perNode ? undefined : { reached: 'node', max: perNode }
    const ofAccount = byAccount.get(accountId) ?? 0
    if ((byExtension.get(extensionId) ?? 0) >= most.extension)
      return { reached: 'extension', max: most.extension }
    if (ofAccount >= most.account) return { reached: 'account', max: most.account }
    const free = perNode - calls.size
    const isReserve = free <= Math.floor(perNode * reserveShare)
    if (free <= 0 || (isReserve && ofAccount >= callsWithinReserve)) return { reached: 'node', max: perNode }
    return undefined
  }

  /** A call that is let in counts until `release`. */
  function take(callId: string, owner: Owner): Maybe<CeilingRefusal | undefined> {
    return andThen(atOnceOf(owner.accountId), (most) => takeWithin(most, callId, owner))
  }

  function takeWithin(most: CallsAtOnce, callId: string, owner: Owner): CeilingRefusal | undefined {
    if (reached(owner, most)) dropForgotten()
    const refusal = reached(owner, most)
    if (refusal && refusal.reached !== 'node') onReached?.(owner.accountId, refusal.max)
    if (refusal) return refusal
    if (owner.isFree) endOldestFree(owner.extensionId)
    calls.set(callId, { ...owner, since: timers.now() })
    count(owner, 1)
    return undefined
  }

  function endOldestFree(extensionId: number) {
    const theirs = [...calls].filter(([, call]) => call.isFree && call.extensionId === extensionId)
    const [oldest] = theirs
    if (oldest && theirs.length >= maxFreeCalls) endCall(oldest[0])
  }

  function release(callId: string) {
    const entry = calls.get(callId)
    if (!entry || !calls.delete(callId)) return
    count(entry, -1)
  }

  /** Calls that the engine does not know, and whose end it never reported. */
  function dropForgotten() {
    const live = new Set(liveCalls())
    const before = timers.now() - settledMs
    for (const [callId, { since }] of calls) if (since < before && !live.has(callId)) release(callId)
  }

  function count({ accountId, extensionId }: Owner, change: 1 | -1) {
    add(byExtension, extensionId, change)
    add(byAccount, accountId, change)
  }

  /** False if the phone of the extension, by any name of it, dials more often than it may. */
  function mayDial(extension: string): boolean {
    let bucket = buckets.get(extension)
    if (!bucket) {
      if (buckets.size >= maxBuckets) buckets.clear()
      bucket = fullBucket(rate, timers.now())
      buckets.set(extension, bucket)
    }
    return takeToken(bucket, rate, timers.now())
  }

  return { take, release, mayDial, live: () => calls.size }
}
export type CallCeilings = ReturnType<typeof createCallCeilings>

function add(counts: Map<number, number>, key: number, change: 1 | -1) {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
