/**
 * D515: the time of the service is the database's, so that every process has the same, however wrong the clock of its machine
 * is. Between two readings time is counted monotonically: setting the machine's clock changes nothing.
 */
import { type SteadyClock, systemClock } from '../../kit/clock.ts'

export type DatabaseClock = SteadyClock & {
  /** Begins a reading. Call the result with what the database's clock showed at some moment in between. */
  startReading(): (shown: Date) => void
  /** How far the machine's clock is ahead of the database's. */
  machineOffsetMs(): number
}

/** D516: above it one of the two clocks is wrong. */
export const maxClockOffsetMs = 30_000

/** A `Date` has no fraction of a millisecond. */
const resolutionMs = 1

/** Shows the machine's time until the first reading. */
export function createDatabaseClock(machine: SteadyClock = systemClock): DatabaseClock {
  /** The database's time when nothing had elapsed. */
  let origin = machine.now().getTime() - machine.elapsed()
  let hasReading = false
  const nowMs = () => origin + machine.elapsed()

  return {
    now: () => new Date(nowMs()),
    elapsed: machine.elapsed,
    startReading() {
      const sentAt = machine.elapsed()
      return (shown) => {
        const earliest = shown.getTime() - machine.elapsed()
        const latest = shown.getTime() + resolutionMs - sentAt
        // Only what the reading rules out is corrected, so that an answer that took long does not shift the time.
        origin = hasReading ? Math.min(Math.max(origin, earliest), latest) : (earliest + latest) / 2
        hasReading = true
      }
    },
    machineOffsetMs: () => machine.now().getTime() - nowMs(),
  }
}
