/** How often each route may be asked (spec §8, D103): the table the front door counts by. */

/** Fixed windows of one minute, from a key's first request. */
export const windowSeconds = 60

/** What requests are counted by. Without a valid token, and so without a user, the address counts. */
type CountedBy = 'address' | 'user' | 'user and extension'

export type Limit = { most: number; by: CountedBy }

export const limits = {
  'calls.place': { most: 15, by: 'user and extension' },
  'calls.hangup': { most: 30, by: 'user' },
  'calls.list': { most: 15, by: 'user' },
  login: { most: 10, by: 'address' },
  other: { most: 60, by: 'address' },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
