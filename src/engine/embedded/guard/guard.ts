/**
 * Keeps hostile traffic from costing us more than a look at its address (D112).
 *
 * A source is an address, or a /64. Strangers may send little; whose phone registered, or whose call went through,
 * is known for two hours and may send much; carriers more still. Ten failures of a stranger within a minute put it
 * in silence: nothing of it is read, nothing answered, for five minutes, then four times as long each time, up to
 * a day.
 *
 * An office is one address with many phones, and one of them may have a wrong password; and anybody can send
 * failures over UDP in the name of another. So nothing that fails puts a known source in silence as a whole: there,
 * failures are counted by port, and only the port is silenced. Who has an account and tries for those of his
 * colleagues by ever new ports is slowed: at a known source every failure counts as `failureCost` messages.
 * Carriers and this machine itself are never silenced.
 *
 * An office that is new to us may be silenced once by such a phone, for five minutes: the silence stops the wrong
 * one too, and after it any other phone that registers makes the office known.
 */

import { addressBlock, isLoopback } from '../../../kit/networks.ts'
import type { Timers } from '../../../kit/timers.ts'
import { fullBucket, type Rate, type TokenBucket, takeToken } from '../../../kit/token-bucket.ts'
import type { Peer } from '../../sip/transport/flow.ts'
import { createRecent } from './recent.ts'
import { isScanner } from './scanners.ts'

const rates = {
  /** Enough for an office to become known: its first phones need two messages each. */
  stranger: { perSecond: 20, burst: 60 },
  /** Hundreds of phones that come back together after a power cut. */
  known: { perSecond: 200, burst: 1_000 },
  carrier: { perSecond: 2_000, burst: 4_000 },
} satisfies Record<string, Rate>

const minute = 60_000
const knownMs = 120 * minute
const failuresMs = minute
const mostFailures = 10
const failureCost = 10
const firstSilenceMs = 5 * minute
const silenceGrowth = 4
const longestSilenceMs = 24 * 60 * minute

type Stranger = TokenBucket & { failures: number; since: number }
type Known = TokenBucket & { until: number }
/** Stays for a day after the silence, so that the next one is longer. */
type Silence = { until: number; times: number }

type Deps = {
  timers: Timers
  isCarrier?(address: string): boolean
  /** By default every address of loopback. */
  isThisMachine?(address: string): boolean
  /** How many of each kind are remembered. */
  most?: { strangers: number; known: number; silences: number }
}

export function createGuard({ timers, most, isCarrier = () => false, isThisMachine = isLoopback }: Deps) {
  const strangers = createRecent<Stranger>(most?.strangers ?? 50_000)
  const known = createRecent<Known>(most?.known ?? 20_000)
  const silences = createRecent<Silence>(most?.silences ?? 20_000)
  const carriers = createRecent<TokenBucket>(1_000)
  const totals = { silenced: 0, scanner: 0, flood: 0, failures: 0, silences: 0 }

  /** Whether what came is worth reading: a datagram, a connection (which has no bytes yet), a message on one. */
  function admit({ address, port }: Peer, firstBytes?: Buffer): boolean {
    if (isThisMachine(address)) return true
    const source = addressBlock(address)
    if (isCarrier(address)) return take(carrierAt(source), rates.carrier)
    const friend = findKnown(source)
    if (isSilent(friend ? portOf(source, port) : source)) {
      totals.silenced += 1
      return false
    }
    if (friend) return take(friend, rates.known)
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
    const friend = known.get(source)
    if (friend && friend.until <= timers.now()) {
      known.delete(source)
      return undefined
    }
    return friend
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

  function isSilent(key: string): boolean {
    const silence = silences.get(key)
    return silence !== undefined && silence.until > timers.now()
  }

  /** Wrong credentials, a call from nobody we know, a message that is none. */
  function failed({ address, port }: Peer) {
    totals.failures += 1
    const source = addressBlock(address)
    if (isThisMachine(address) || isCarrier(address)) return
    const friend = findKnown(source)
    if (friend) friend.tokens = Math.max(0, friend.tokens - failureCost)
    const key = friend ? portOf(source, port) : source
    const one = strangerAt(key)
    if (timers.now() - one.since > failuresMs) {
      one.since = timers.now()
      one.failures = 0
    }
    one.failures += 1
    if (one.failures >= mostFailures) silence(key, one)
  }

  function silence(key: string, one: Stranger) {
    one.failures = 0
    const now = timers.now()
    const before = silences.get(key)
    const times = before && now < before.until + longestSilenceMs ? before.times + 1 : 1
    const ms = Math.min(firstSilenceMs * silenceGrowth ** (times - 1), longestSilenceMs)
    silences.set(key, { until: now + ms, times })
    totals.silences += 1
  }

  /** A password that was right, a call that was taken. */
  function succeeded({ address, port }: Peer) {
    if (isThisMachine(address)) return
    const source = addressBlock(address)
    const until = timers.now() + knownMs
    const friend = known.get(source)
    if (friend) friend.until = until
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
    remembered: () => strangers.size() + known.size() + silences.size(),
    metrics: () => ({
      guard_sources: strangers.size() + known.size(),
      guard_silenced_total: totals.silenced,
      guard_scanner_total: totals.scanner,
      guard_flood_total: totals.flood,
      guard_failures_total: totals.failures,
      guard_silences_total: totals.silences,
    }),
  }
}
export type Guard = ReturnType<typeof createGuard>

function portOf(source: string, port: number): string {
  return `${source} ${port}`
}
