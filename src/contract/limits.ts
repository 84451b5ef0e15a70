/** Rate limits of the routes (spec §8, D103). */

/** Requests are counted in fixed windows of one minute, which begin with a key's first request. */
export const windowSeconds = 60

/** What requests are counted by. Requests without a valid token, and so without a user, count by address. */
type CountedBy = 'address' | 'user' | 'user and extension'

export type Limit = { max: number; by: CountedBy }

/** D297: of a console session, all routes of the rows `calls.list` and `other` together. */
export const sessionLimit: Limit = { max: 300, by: 'user' }

/**
 * D471: of an account, all routes of the row `other` together, from whatever addresses: 50 a second, far above what
 * people and their programs do. Sessions count apart, so that a program cannot lock its account out of the console.
 */
export const accountLimit = { max: 3_000 } as const

/** D471: what a request of an expensive route counts as: one that hashes a password, or makes others work. */
export const expensive = 10

/** One row of the table, one counter; of the last row, one counter a route. */
export const limits = {
  'calls.place': { max: 15, by: 'user and extension' },
  'calls.dial': { max: 15, by: 'user and extension' },
  'calls.hangup': { max: 30, by: 'user' },
  'calls.list': { max: 15, by: 'user' },
  login: { max: 10, by: 'address' },
  other: { max: 60, by: 'address' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
