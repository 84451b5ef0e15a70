/**
 * How much each webhook may have under way, so that one that is dead, slow or endless delays only itself. Its lane
 * widens while it answers quickly and narrows while it does not; after some failures in a row it rests.
 *
 *   open ── 5 failures in a row ──▶ resting ── time is over ──▶ one attempt ──▶ open, or resting for longer
 *
 * All of this is kept by each process for itself and forgotten with it: it protects, and decides nothing.
 */
import type { Clock } from '../../kit/clock.ts'
import type { Timers } from '../../kit/timers.ts'

const firstWidth = 2
const widest = 32
const widestSlow = 16
/** A lane widens while answers come within this; when they take longer, more at once would not help. */
const promptMs = 100
/** An attempt that takes longer is slow, and no longer counted with those that will be over in a moment. */
const slowMs = 1_000
const failuresToRest = 5
const shortestRestMs = 5_000
const longestRestMs = 60_000
/**
 * D126: after an answer that had to be cut off. Each costs a connection, and what it sends until it hears of it: one at a
 * time and with a pause, it cannot take much from others.
 */
export const overlongRestMs = 200
/** Beyond this, lanes with nothing under way are forgotten. */
const mostLanes = 20_000

/** Of all webhooks of this process. */
const defaults = {
  mostFresh: 512,
  /** Webhooks not known to be quick leave the rest to those that are. */
  mostUnsure: 256,
  /** With the slow ones; each holds a connection. */
  mostInAll: 2_048,
}

export type Lane = {
  id: number
  width: number
  /** Answered quickly when last heard of. */
  quick: boolean
  failures: number
  restsUntil: number
  underWay: number
  /** Of these, how many are slow by now. */
  slow: number
}
export type Flight = { lane: Lane; startedAt: number; unsure: boolean }
type Result = { ok: boolean; overlong?: boolean; restMs?: number }

export function createLanes({
  timers,
  clock,
  ...given
}: { timers: Timers; clock: Clock } & Partial<typeof defaults>) {
  const limits = { ...defaults, ...given }
  const lanes = new Map<number, Lane>()
  /** In the order in which they began. */
  const fresh = new Set<Flight>()
  const slow = new Set<Flight>()
  let unsure = 0

  function of(id: number): Lane {
    const known = lanes.get(id)
    if (known) return known
    if (lanes.size >= mostLanes) forgetIdle()
    const lane = { id, width: firstWidth, quick: false, failures: 0, restsUntil: 0, underWay: 0, slow: 0 }
    lanes.set(id, lane)
    return lane
  }

  function forgetIdle() {
    for (const lane of lanes.values()) if (lane.underWay === 0) lanes.delete(lane.id)
  }

  /** Sets aside what has become slow. */
  function look() {
    const now = timers.now()
    for (const flight of fresh) {
      if (now - flight.startedAt < slowMs) return
      leaveFresh(flight)
      slow.add(flight)
      flight.lane.slow += 1
    }
  }

  function leaveFresh(flight: Flight) {
    if (fresh.delete(flight) && flight.unsure) unsure -= 1
  }

  /** How many more the webhook may be sent now, if there is room for them among all. */
  function roomOf(lane: Lane): number {
    const rest = lane.restsUntil - clock.now().getTime()
    // A rest that is longer than any comes from a clock that was set back.
    if (rest > 0 && rest <= longestRestMs) return 0
    if (lane.failures >= failuresToRest) return Math.max(0, 1 - lane.underWay)
    const width = lane.slow > 0 ? Math.min(lane.width, widestSlow) : lane.width
    return Math.max(0, width - lane.underWay)
  }

  /** Of all webhooks together, and of those not known to be quick. */
  function free(): { all: number; unsure: number } {
    const all = Math.min(limits.mostFresh - fresh.size, limits.mostInAll - fresh.size - slow.size)
    return { all, unsure: Math.min(all, limits.mostUnsure - unsure) }
  }

  function begin(lane: Lane): Flight {
    const flight = { lane, startedAt: timers.now(), unsure: !lane.quick }
    lane.underWay += 1
    fresh.add(flight)
    if (flight.unsure) unsure += 1
    return flight
  }

  /** Answers whether the webhook rests now because it keeps failing. */
  function end(flight: Flight, { ok, overlong = false, restMs = 0 }: Result): boolean {
    const { lane } = flight
    lane.underWay -= 1
    if (slow.delete(flight)) lane.slow -= 1
    leaveFresh(flight)
    const ms = timers.now() - flight.startedAt
    lane.quick = ok && !overlong && ms < slowMs
    lane.failures = ok ? 0 : lane.failures + 1
    if (lane.quick) lane.width = ms < promptMs ? Math.min(widest, lane.width * 2) : lane.width
    else if (overlong) lane.width = 1
    else if (ok) lane.width = Math.min(widestSlow, lane.width + 1)
    else lane.width = Math.max(1, lane.width >> 1)
    const shortest = overlong ? Math.max(restMs, overlongRestMs) : restMs
    const rest = Math.min(longestRestMs, Math.max(shortest, restOf(lane.failures)))
    if (rest > 0) lane.restsUntil = clock.now().getTime() + rest
    else if (ok) lane.restsUntil = 0
    return lane.failures >= failuresToRest
  }

  return {
    of,
    look,
    roomOf,
    free,
    begin,
    end,
    /** Worth asking those for whom it is not urgent. */
    hasMuchRoom: () => free().all >= limits.mostFresh / 8,
    underWay: () => fresh.size + slow.size,
  }
}
export type Lanes = ReturnType<typeof createLanes>

function restOf(failures: number): number {
  if (failures < failuresToRest) return 0
  return Math.min(longestRestMs, shortestRestMs * 2 ** Math.min(10, failures - failuresToRest))
}
