/**
 * D516: the machine's clock beside the database's, by which the service works (D515). A difference is logged; a large one means
 * that one of the two is wrong: then this process is not ready, and removes nothing that is old.
 */
import type { Log } from '../../kit/process/log.ts'
import type { FleetView } from '../../nodes/fleet-view.ts'
import { type DatabaseClock, maxClockOffsetMs } from '../../store/connection/database-clock.ts'

const loggedMs = 5_000

type Deps = {
  clock: Pick<DatabaseClock, 'machineOffsetMs'>
  log: Log
  fleet: Pick<FleetView, 'others'>
}

export function createClockWatch({ clock, log, fleet }: Deps) {
  let wasOff = false
  const agrees = () => Math.abs(clock.machineOffsetMs()) <= maxClockOffsetMs

  /** If several processes differ from the database and none agrees with it, its clock is wrong: all of them would be away. */
  const isDatabaseWrong = () => fleet.others().alive > 0 && fleet.others().onTime === 0

  return {
    async tick() {
      const offsetSeconds = Math.round(clock.machineOffsetMs() / 1000)
      const isOff = Math.abs(clock.machineOffsetMs()) > loggedMs
      if (isOff === wasOff) return
      wasOff = isOff
      if (isOff) {
        log.warn(
          { offsetSeconds },
          "the clock of this machine differs from the database's: run NTP on both; above 30 s the process is not ready",
        )
      } else log.info({ offsetSeconds }, "the clock of this machine agrees with the database's again")
    },
    /** For `/ready`. */
    problems: () => (agrees() || isDatabaseWrong() ? [] : ['clock']),
    /** A sweep that runs only while the two clocks agree. */
    whileAgreeing:
      <T extends unknown[]>(sweep: (...given: T) => Promise<unknown>) =>
      async (...given: T) => {
        if (agrees()) await sweep(...given)
      },
  }
}
export type ClockWatch = ReturnType<typeof createClockWatch>
