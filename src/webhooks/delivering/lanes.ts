/**
 * How many attempts each webhook may have in flight, so that a dead, slow or endless receiver delays only itself.
 * A webhook's lane widens while it answers fast and narrows while it does not. After some failures in a row a circuit
 * breaker pauses it:
 *
 *   open ── 5 failures in a row ──▶ paused ── pause is over ──▶ one attempt ──▶ open, or paused for longer
 *
 * Each process keeps this in memory only. It limits the load; the database alone decides what is delivered.
 */
import type { Clock } from '../../kit/clock.ts'
import type { Timers } from '../../kit/timers.ts'
import { type HostBucket, isUsedUp } from './host-rates.ts'

const firstWidth = 2
const maxWidth = 32
const maxSlowWidth = 16
/** A lane widens while answers come within this time; when they take longer, more at once would not help. */
const promptMs = 100
/** An attempt that takes longer is slow, and leaves the capacity kept for recent attempts. */
const slowMs = 1_000
const failuresToPause = 5
const minPauseMs = 5_000
const maxPauseMs = 60_000
/**
 * D126: pause after an answer that had to be cut off. Each such answer costs a connection and the bytes in transit, so
 * the webhook gets one attempt at a time with a pause between.
 */
export const overlongPauseMs = 200
/** Beyond this, lanes with nothing in flight are removed. */
const maxLanes = 20_000

/** Limits of this process, over all webhooks. */
const defaults = {
  /** Attempts younger than `slowMs`. */
  maxRecent: 512,
  /** How many of them may be attempts of webhooks not known to be fast; the rest is for the fast ones. */
  maxUnproven: 256,
  /** Slow attempts included; each holds a connection. */
  maxInFlight: 2_048,
}

export type Lane = {
  id: number
  /** Attempts that may be in flight at once. */
  width: number
  /** The last answer came fast. */
  isFast: boolean
  failures: number
  pausedUntil: number
  inFlight: number
  /** How many of those in flight are slow by now. */
  slow: number
  /** D198: of the host that it sends to, known since the first attempt. */
  host: HostBucket | undefined
}
/** The place that one attempt in flight takes. */
export type Slot = { lane: Lane; startedAt: number; isUnproven: boolean }
export type LaneResult = {
  ok: boolean
  /** The answer was cut off because it was too long. */
  overlong?: boolean
  /** Pause that the receiver asked for. */
  pauseMs?: number
}

type Deps = { timers: Timers; clock: Clock } & Partial<typeof defaults>

export function createLanes({
  timers,
  clock,
  maxRecent = defaults.maxRecent,
  maxUnproven = defaults.maxUnproven,
  maxInFlight = defaults.maxInFlight,
}: Deps) {
  const lanes = new Map<number, Lane>()
  /** In the order in which they began. */
  const recent = new Set<Slot>()
  const slow = new Set<Slot>()
  let unproven = 0

  function of(id: number): Lane {
    const known = lanes.get(id)
    if (known) return known
    if (lanes.size >= maxLanes) removeIdle()
    const lane = {
      id,
      width: firstWidth,
      isFast: false,
      failures: 0,
      pausedUntil: 0,
      inFlight: 0,
      slow: 0,
      host: undefined,
    }
    lanes.set(id, lane)
    return lane
  }

  function removeIdle() {
    for (const lane of lanes.values()) if (lane.inFlight === 0) lanes.delete(lane.id)
  }

  /** Moves attempts that have become slow out of the recent ones. */
  function markSlow() {
    const now = timers.now()
    for (const slot of recent) {
      if (now - slot.startedAt < slowMs) return
      leaveRecent(slot)
      slow.add(slot)
      slot.lane.slow += 1
    }
  }

  function leaveRecent(slot: Slot) {
    if (recent.delete(slot) && slot.isUnproven) unproven -= 1
  }

  /** How many more attempts the webhook may begin, if the process has the capacity. */
  function capacityOf(lane: Lane): number {
    const pause = lane.pausedUntil - clock.now().getTime()
    // A remaining pause above the maximum means that the clock was set back.
    if (pause > 0 && pause <= maxPauseMs) return 0
    if (lane.host && isUsedUp(lane.host, timers.now())) return 0
    if (lane.failures >= failuresToPause) return Math.max(0, 1 - lane.inFlight)
    const width = lane.slow > 0 ? Math.min(lane.width, maxSlowWidth) : lane.width
    return Math.max(0, width - lane.inFlight)
  }

  /** Free capacity of the process: for all webhooks, and for those not known to be fast. */
  function freeCapacity(): { all: number; unproven: number } {
    const all = Math.min(maxRecent - recent.size, maxInFlight - recent.size - slow.size)
    return { all, unproven: Math.min(all, maxUnproven - unproven) }
  }

  function acquire(lane: Lane): Slot {
    const slot = { lane, startedAt: timers.now(), isUnproven: !lane.isFast }
    lane.inFlight += 1
    recent.add(slot)
    if (slot.isUnproven) unproven += 1
    return slot
  }

  /** Returns whether the webhook is paused now because it keeps failing. */
  function release(slot: Slot, { ok, overlong = false, pauseMs = 0 }: LaneResult): boolean {
    const { lane } = slot
    lane.inFlight -= 1
    if (slow.delete(slot)) lane.slow -= 1
    leaveRecent(slot)
    const ms = timers.now() - slot.startedAt
    lane.isFast = ok && !overlong && ms < slowMs
    lane.failures = ok ? 0 : lane.failures + 1
    if (lane.isFast) lane.width = ms < promptMs ? Math.min(maxWidth, lane.width * 2) : lane.width
    else if (overlong) lane.width = 1
    else if (ok) lane.width = Math.min(maxSlowWidth, lane.width + 1)
    else lane.width = Math.max(1, lane.width >> 1)
    const requested = overlong ? Math.max(pauseMs, overlongPauseMs) : pauseMs
    const pause = Math.min(maxPauseMs, Math.max(requested, pauseAfter(lane.failures)))
    if (pause > 0) lane.pausedUntil = clock.now().getTime() + pause
    else if (ok) lane.pausedUntil = 0
    return lane.failures >= failuresToPause
  }

  return {
    of,
    markSlow,
    capacityOf,
    freeCapacity,
    acquire,
    release,
    /** Enough capacity to work on backlogs, which are not urgent. */
    hasSpareCapacity: () => freeCapacity().all >= maxRecent / 8,
    inFlight: () => recent.size + slow.size,
  }
}
export type Lanes = ReturnType<typeof createLanes>

function pauseAfter(failures: number): number {
  if (failures < failuresToPause) return 0
  return Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(10, failures - failuresToPause))
}
