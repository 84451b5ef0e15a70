/** The time of day, passed in so that tests can set it. */
export type Clock = {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** `seconds` after `from`; negative and fractional seconds are allowed. */
export function plusSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
