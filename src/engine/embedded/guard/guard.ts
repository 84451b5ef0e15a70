/**
 * Limits what hostile traffic can cost us (D112).
 *
 * A source is an address, or an IPv6 /64. A stranger may send little. A source whose phone registered, or whose call
 * was accepted, is known for two hours and may send more; a carrier still more. Ten failures of a stranger within a
 * minute block it: its packets are dropped unread for five minutes, then four times as long each time, up to a day.
 *
 * An office is one address with many phones, and one of them may have a wrong password; over UDP anybody can send
 * failures with the address of another. So failures never block a known source as a whole: there they are counted by
 * port, and only the port is blocked. Guessing passwords from ever new ports of a known source is slowed down, because
 * each failure costs `failureCost` messages of its rate. Carriers and this machine itself are never blocked.
 *
 * An office that is still a stranger may be blocked once by such a phone, for five minutes. The block stops that phone
 * too, and afterwards any other phone that registers makes the office known.
 */

import { addressBlock, isLoopback } from '../../../kit/networks.ts'
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, type Rate, type TokenBucket, takeToken } from '../../../kit/token-bucket.ts'
import type { Peer } from '../../sip/transport/flow.ts'
import { createRecentMap } from './recent-map.ts'
import { isScanner } from './scanners.ts'

const rates = {
  /** Enough for the first phones of an office to register, with two messages each. */
  stranger: { perSecond: 20, burst: 60 },
  /** Enough for hundreds of phones that register again after a power cut. */
  known: { perSecond: 200, burst: 1_000 },
  carrier: { perSecond: 2_000, burst: 4_000 },
} satisfies Record<string, Rate>

const minute = 60_000
const knownMs = 120 * minute
const failuresMs = minute
const maxFailures = 10
const failureCost = 10
const firstBlockMs = 5 * minute
const blockGrowth = 4
const maxBlockMs = 24 * 60 * minute

type Stranger = TokenBucket & { failures: number; since: number }
type Known = TokenBucket & { until: number }
/** Kept for a day after the block, so that the next one is longer. */
type Block = { until: number; times: number }

type Deps = {
  timers: Timers
  isCarrier?(address: string): boolean
  /** By default all loopback addresses. */
  isThisMachine?(address: string): boolean
  /** Sources of each kind that are remembered. */
  max?: { strangers: number; known: number; blocks: number }
}

export function createGuard({ timers, max, isCarrier = () => false, isThisMachine = isLoopback }: Deps) {
  const strangers = createRecentMap<Stranger>(max?.strangers ?? 50_000)
  const known = createRecentMap<Known>(max?.known ?? 20_000)
  const blocks = createRecentMap<Block>(max?.blocks ?? 20_000)
  const carriers = createRecentMap<TokenBucket>(1_000)
  const totals = { dropped: 0, scanner: 0, flood: 0, failures: 0, blocks: 0 }

  /** Whether to read a datagram, accept a connection (without bytes yet), or read a message on one. */
  function admit({ address, port }: Peer, firstBytes?: Buffer): boolean {
    if (isThisMachine(address)) return true
    const source = addressBlock(address)
    if (isCarrier(address)) return take(carrierAt(source), rates.carrier)
    const knownSource = findKnown(source)
    if (isBlocked(knownSource ? portOf(source, port) : source)) {
      totals.dropped += 1
      return false
    }
    if (knownSource) return take(knownSource, rates.known)
    if (!take(strangerAt(source), rates.stranger)) return false
    if (!firstBytes || !isScanner(firstBytes)) return true
    totals.scanner += 1
    failed({ address, port })
    return false
  }

  function carrierAt(source: string): TokenBucket {
    const found = carriers.get(source)
    if (found) return found
    const fresh = fullBucket(rates.carrier, timers.now())
    carriers.set(source, fresh)
    return fresh
  }

  function findKnown(source: string): Known | undefined {
    const knownSource = known.get(source)
    if (knownSource && knownSource.until <= timers.now()) {
      known.delete(source)
      return undefined
    }
    return knownSource
  }

  function strangerAt(key: string): Stranger {
    const found = strangers.get(key)
    if (found) return found
    const now = timers.now()
    const fresh = { ...fullBucket(rates.stranger, now), failures: 0, since: now }
    strangers.set(key, fresh)
    return fresh
  }

  function take(bucket: TokenBucket, rate: Rate): boolean {
    if (takeToken(bucket, rate, timers.now())) return true
    totals.flood += 1
    return false
  }

  function isBlocked(key: string): boolean {
    const block = blocks.get(key)
    return block !== undefined && block.until > timers.now()
  }

  /** Wrong credentials, a call from an unknown sender, a malformed message. */
  function failed({ address, port }: Peer) {
    totals.failures += 1
    const source = addressBlock(address)
    if (isThisMachine(address) || isCarrier(address)) return
    const knownSource = findKnown(source)
    if (knownSource) knownSource.tokens = Math.max(0, knownSource.tokens - failureCost)
    const key = knownSource ? portOf(source, port) : source
    const counted = strangerAt(key)
    if (timers.now() - counted.since > failuresMs) {
      counted.since = timers.now()
      counted.failures = 0
    }
    counted.failures += 1
    if (counted.failures >= maxFailures) block(key, counted)
  }

  function block(key: string, source: Stranger) {
    source.failures = 0
    const now = timers.now()
    const before = blocks.get(key)
    const times = before && now < before.until + maxBlockMs ? before.times + 1 : 1
    const ms = Math.min(firstBlockMs * blockGrowth ** (times - 1), maxBlockMs)
    blocks.set(key, { until: now + ms, times })
    totals.blocks += 1
  }

  /** A right password, an accepted call. */
  function succeeded({ address, port }: Peer) {
    if (isThisMachine(address)) return
    const source = addressBlock(address)
    const until = timers.now() + knownMs
    const knownSource = known.get(source)
    if (knownSource) knownSource.until = until
    else {
      known.set(source, { ...fullBucket(rates.known, timers.now()), until })
      strangers.delete(source)
    }
    strangers.delete(portOf(source, port))
  }

  return {
    admit,
    failed,
    succeeded,
    remembered: () => strangers.size() + known.size() + blocks.size(),
    metrics: () => ({
      guard_sources: strangers.size() + known.size(),
      guard_silenced_total: totals.dropped,
      guard_scanner_total: totals.scanner,
      guard_flood_total: totals.flood,
      guard_failures_total: totals.failures,
      guard_silences_total: totals.blocks,
    }),
  }
}
export type Guard = ReturnType<typeof createGuard>

function portOf(source: string, port: number): string {
  return `${source} ${port}`
}
