/** Clock times of a time zone as instants. */

const formats = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds the clocks of the zone are ahead of UTC at that instant. */
function offsetAt(instant: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    formats.set(timeZone, format)
  }
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes, seconds = 0] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  const ahead = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ahead : ahead
}

const day = 86_400_000

/** The instants at which clocks show a time: two where they are set back over it, none where they jump over it. */
type Occurrence = { instants: readonly number[]; jump: number }

/**
 * A local time is given as the same time in UTC. `jump` is the instant at which clocks jump over it, and without a jump
 * the first time they show it.
 */
export function occurrencesOf(local: number, timeZone: string): Occurrence {
  const before = offsetAt(local - day, timeZone)
  const after = offsetAt(local + day, timeZone)
  const candidates = [...new Set([local - before, local - after])].sort((a, b) => a - b)
  const instants = candidates.filter((instant) => instant + offsetAt(instant, timeZone) === local)
  const [first] = instants
  if (first !== undefined) return { instants, jump: first }

  let [still = 0, jumped = 0] = candidates
  while (jumped - still > 1000) {
    const middle = Math.floor((still + jumped) / 2000) * 1000
    if (offsetAt(middle, timeZone) === before) still = middle
    else jumped = middle
  }
  return { instants: [], jump: jumped }
}

/**
 * The first instant of a date, given as its midnight in UTC. Clocks that pass midnight
 * twice begin the day the first time; where they jump over it, the day begins at the jump.
 */
export function startOfDay(midnight: Date, timeZone: string): Date {
  return new Date(occurrencesOf(midnight.getTime(), timeZone).jump)
}
