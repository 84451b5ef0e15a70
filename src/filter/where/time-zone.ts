/** The first instant of a day in a time zone. */

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

/**
 * The first instant of a date, given as its midnight in UTC. Clocks that pass midnight
 * twice begin the day the first time; where they jump over it, the day begins at the jump.
 */
export function startOfDay(midnight: Date, timeZone: string): Date {
  const local = midnight.getTime()
  const before = offsetAt(local - day, timeZone)
  const after = offsetAt(local + day, timeZone)
  const times = [local - before, local - after].sort((a, b) => a - b)
  const exact = times.find((time) => time + offsetAt(time, timeZone) === local)
  if (exact !== undefined) return new Date(exact)

  let [still, jumped = 0] = times as [number, number]
  while (jumped - still > 1000) {
    const middle = Math.floor((still + jumped) / 2000) * 1000
    if (offsetAt(middle, timeZone) === before) still = middle
    else jumped = middle
  }
  return new Date(jumped)
}
