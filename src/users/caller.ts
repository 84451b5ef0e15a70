/** Who is asking: the user behind the access token of a request. */
import type { User } from './user.ts'

export type Caller = {
  user: User
  accountId: number
  accountUuid: string
  /** Of the account; it never changes. */
  domain: string
  /** Of the account: a date without a time is midnight there (D16). */
  timeZone: string
  /** The token of this request, by its public name. */
  tokenRef: string
}
