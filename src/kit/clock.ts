/** The time of day, passed in so that tests can set it. */
export type Clock = {
  now(): Date
}

/** A clock that also measures: changes of the system clock do not affect what has elapsed. */
export type SteadyClock = Clock & {
  /** Milliseconds since any fixed moment. */
  elapsed(): number
}

export const systemClock: SteadyClock = { now: () => new Date(), elapsed: () => performance.now() }

/** `seconds` after `from`; negative and fractional seconds are allowed. */
export function plusSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
