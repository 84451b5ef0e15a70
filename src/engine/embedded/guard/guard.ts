/**
 * Limits what hostile traffic can cost us (D112).
 *
 * A source is an address, or an IPv6 /64. A stranger may send little. A source whose phone registered, or whose call
 * was accepted, is known for two hours and may send more; a carrier still more. Over UDP anybody can send with the
 * address of another, so:
 *
 * - Connections and datagrams are counted apart, and datagrams by port as well as by source.
 * - A phone that authenticated, by its connection or by its address and port, has a rate of its own.
 * - A failure counts only if its sender was really there: on a connection, or with a nonce that was sent to it.
 *
 * Ten failures of a stranger within a minute block it: what it sends is dropped unread for five minutes, then four times
 * as long each time, up to a day. An office is one address with many phones, and one of them may have a wrong password:
 * of a known source only the port that fails is blocked. Every failure also adds to the source's debt, from whatever port:
 * beyond sixty, and one a second, only its phones that have authenticated are heard until the debt is paid by waiting.
 *
 * Carriers and this machine itself are never blocked.
 */

import { addressBlock, isLoopback } from '../../../kit/networks.ts'
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, type Rate, refill, type TokenBucket, takeToken } from '../../../kit/token-bucket.ts'
import { type Flow, sourceOf } from '../../../sip/transport/flow.ts'
import { createRecentMap } from './recent-map.ts'
import { isScanner } from './scanners.ts'

const rates = {
  /** Enough for the first phones of an office to register, with two messages each. */
  stranger: { perSecond: 20, burst: 60 },
  /** Datagrams of all ports of a stranger. */
  strangerPorts: { perSecond: 200, burst: 600 },
  /** Enough for hundreds of phones that register again after a power cut. */
  known: { perSecond: 200, burst: 1_000 },
  carrier: { perSecond: 2_000, burst: 4_000 },
  /** Failures of a known source, before its debt begins. */
  failures: { perSecond: 1, burst: 60 },
} satisfies Record<string, Rate>

/** D474: a large message costs its source as much as several small ones. */
const bytesPerToken = 2_048

const minute = 60_000
const knownMs = 120 * minute
const failuresMs = minute
const maxFailures = 10
/** In failures: how long a debt lasts at the most, at one a second. */
const maxDebt = 60
const firstBlockMs = 5 * minute
const blockGrowth = 4
const maxBlockMs = 24 * 60 * minute

/** Where a message came from. */
export type Origin = Pick<Flow, 'transport' | 'remote' | 'source'>
type Counted = TokenBucket & { failures: number; since: number }
type Known = { until: number; failures: TokenBucket }
type Taken = { source: string; port: number; datagram: boolean; cost: number }
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
  const counted = createRecentMap<Counted>(max?.strangers ?? 50_000)
  const known = createRecentMap<Known>(max?.known ?? 20_000)
  /** Rates of known sources and of authenticated phones. */
  const shares = createRecentMap<TokenBucket>(max?.known ?? 50_000)
  /** Addresses and ports of phones that authenticated by UDP, and until when that counts. */
  const phones = createRecentMap<number>(max?.known ?? 50_000)
  const blocks = createRecentMap<Block>(max?.blocks ?? 20_000)
  const totals = { dropped: 0, scanner: 0, flood: 0, failures: 0, blocks: 0 }

  /**
   * Whether to read a datagram, accept a connection (without bytes yet), or read a message on one. `proven`: the
   * connection has sent an authenticated message.
   */
  function admit(
    { transport, remote }: Origin,
    firstBytes?: Buffer,
    proven = false,
    size = firstBytes?.length ?? 0,
  ): boolean {
    const cost = 1 + Math.floor(size / bytesPerToken)
    const { address, port } = remote
    if (isThisMachine(address)) return true
    const source = addressBlock(address)
    if (isCarrier(address)) return take(shareOf(`carrier ${source}`, rates.carrier), rates.carrier, cost)
    const datagram = transport === 'udp'
    if (datagram ? isPhone(portOf(source, port)) : proven) {
      const own = datagram ? `phone ${portOf(source, port)}` : `phones ${source}`
      return take(shareOf(own, rates.known), rates.known, cost)
    }
    const knownSource = findKnown(source)
    if (isBlocked(source) || (knownSource && (isBlocked(portOf(source, port)) || isInDebt(knownSource)))) {
      totals.dropped += 1
      return false
    }
    if (!takeOfSource({ source, port, datagram, cost }, knownSource)) return false
    if (!firstBytes || !isScanner(firstBytes)) return true
    totals.scanner += 1
    failed({ transport, remote })
    return false
  }

  /** By port too, so that datagrams with forged ports do not use up what a phone of that source may send. */
  function takeOfSource({ source, port, datagram, cost }: Taken, knownSource: Known | undefined) {
    const kind = datagram ? 'udp' : 'connections'
    if (knownSource) return take(shareOf(`${kind} ${source}`, rates.known), rates.known, cost)
    if (!datagram) return take(countedAt(`${kind} ${source}`, rates.stranger), rates.stranger, cost)
    return (
      take(countedAt(portOf(source, port), rates.stranger), rates.stranger, cost) &&
      take(countedAt(source, rates.strangerPorts), rates.strangerPorts, cost)
    )
  }

  function shareOf(key: string, rate: Rate): TokenBucket {
    const found = shares.get(key)
    if (found) return found
    const fresh = fullBucket(rate, timers.now())
    shares.set(key, fresh)
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

  function isPhone(key: string): boolean {
    return (phones.get(key) ?? 0) > timers.now()
  }

  function countedAt(key: string, rate: Rate): Counted {
    const found = counted.get(key)
    if (found) return found
    const now = timers.now()
    const fresh = { ...fullBucket(rate, now), failures: 0, since: now }
    counted.set(key, fresh)
    return fresh
  }

  function take(bucket: TokenBucket, rate: Rate, cost: number): boolean {
    if (takeToken(bucket, rate, timers.now(), cost)) return true
    totals.flood += 1
    return false
  }

  function isBlocked(key: string): boolean {
    const block = blocks.get(key)
    return block !== undefined && block.until > timers.now()
  }

  function isInDebt({ failures }: Known): boolean {
    refill(failures, rates.failures, timers.now())
    return failures.tokens < 0
  }

  /**
   * Wrong credentials, a call from an unknown sender, a malformed message. `received`: the sender has received a nonce
   * of ours; without that a datagram counts against nobody.
   */
  function failed(origin: Origin, { received = false } = {}) {
    totals.failures += 1
    const { transport } = origin
    const { address, port } = sourceOf(origin)
    if (isThisMachine(address) || isCarrier(address)) return
    if (transport === 'udp' && !received) return
    const source = addressBlock(address)
    const knownSource = findKnown(source)
    if (knownSource) addDebt(knownSource)
    const key = knownSource ? portOf(source, port) : source
    const at = countedAt(key, rates.strangerPorts)
    if (timers.now() - at.since > failuresMs) {
      at.since = timers.now()
      at.failures = 0
    }
    at.failures += 1
    if (at.failures < maxFailures) return
    phones.delete(key)
    block(key, at)
  }

  function addDebt({ failures }: Known) {
    refill(failures, rates.failures, timers.now())
    failures.tokens = Math.max(-maxDebt, failures.tokens - 1)
  }

  function block(key: string, source: Counted) {
    source.failures = 0
    const now = timers.now()
    const before = blocks.get(key)
    const times = before && now < before.until + maxBlockMs ? before.times + 1 : 1
    const ms = Math.min(firstBlockMs * blockGrowth ** (times - 1), maxBlockMs)
    blocks.set(key, { until: now + ms, times })
    totals.blocks += 1
  }

  /** A right password, an accepted call. */
  function succeeded(origin: Origin) {
    const { transport } = origin
    const remote = sourceOf(origin)
    if (isThisMachine(remote.address)) return
    const source = addressBlock(remote.address)
    const until = timers.now() + knownMs
    const knownSource = known.get(source)
    if (knownSource) knownSource.until = until
    else {
      known.set(source, { until, failures: fullBucket(rates.failures, timers.now()) })
      counted.delete(source)
    }
    counted.delete(portOf(source, remote.port))
    if (transport === 'udp') phones.set(portOf(source, remote.port), until)
  }

  return {
    admit,
    failed,
    succeeded,
    /** Whether a phone there has authenticated not long ago, or it is a carrier's or this machine. */
    isKnown: (address: string) =>
      isThisMachine(address) || isCarrier(address) || findKnown(addressBlock(address)) !== undefined,
    remembered: () => counted.size() + known.size() + blocks.size(),
    metrics: () => ({
      guard_sources: counted.size() + known.size(),
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
