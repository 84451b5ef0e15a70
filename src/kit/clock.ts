/** The time, handed in so that tests can move it. */
export type Clock = {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** `from` moved by whole or broken seconds. */
export function plusSeconds(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}
