/** Calls that a user may see (D17): all of the account or, where it is set so (D599), a USER their own. */
import { findCallVisibility } from '../../accounts/account-lookup-store.ts'
import { findNumbersOf } from '../../extensions/profiles-store.ts'
import type { Database } from '../../store/database.ts'
import type { Caller } from '../../users/caller.ts'
import { may } from '../../users/permissions.ts'
import type { OwnCalls } from './own-calls.ts'

/** Undefined: all calls of the account. Read with each request, so that the setting holds at once in every process. */
export async function findOwnCalls(db: Database, caller: Caller): Promise<OwnCalls | undefined> {
  if (may(caller, 'calls.list-others')) return undefined
  if ((await findCallVisibility(db, caller.accountId)) === 'account') return undefined
  return { userUuid: caller.user.uuid, numbers: await findNumbersOf(db, caller.user.id) }
}
