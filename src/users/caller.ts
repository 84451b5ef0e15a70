/** The caller of a request: the user whose access token it carries. */
import type { User } from './user.ts'

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
}
