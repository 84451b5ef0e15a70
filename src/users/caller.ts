/** The caller of a request: the user whose access token it carries. */
import type { Scope } from '../contract/accounts/users.ts'
import type { User } from './user.ts'

/** What an access token is limited to (D204, D205). */
export type TokenLimits = {
  /** Null: every scope. */
  scopes: readonly Scope[] | null
  /** Addresses and networks; null: any address. */
  addresses: readonly string[] | null
  isAllowedAddress: (address: string) => boolean
}

export type Caller = {
  user: User
  accountId: number
  accountUuid: string
  /** The account's domain, which never changes. */
  domain: string
  /** The account's time zone: a date without a time means midnight there (D16). */
  timeZone: string
  /** The public reference of the request's token. */
  tokenRef: string
  /** When the request's token ends, of a session not before the next use of it; null: never. */
  tokenEnd: Date | null
  /** Limits of the request's token; undefined if it has none. */
  limits?: TokenLimits | undefined
  /** D296: of a session of the console, with the seconds it lasts after its last use. */
  session?: { ttl: number } | undefined
  /** D647: the operator looks at the account as this user does, and changes nothing. */
  lookIn?: { reason: string; until: Date } | undefined
  /** When the user logged in, if the token is of a login and was not made with another token. */
  loggedInAt?: Date | undefined
}
