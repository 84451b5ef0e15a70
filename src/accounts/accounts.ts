/** The caller's account: read and changed, with its audit log. */

import { allPages } from '../filter/all-pages.ts'
import type { PagedQuery } from '../filter/list-query.ts'
import type { Clock } from '../kit/clock.ts'
import { defined } from '../kit/defined.ts'
import type { Database } from '../store/database.ts'
import type { Searches } from '../store/searches.ts'
import { listAudit, readAuditPage, recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { readContact } from '../users/user.ts'
import type { Account, AccountPatch } from './account.ts'
import { readAccount, updateAccount } from './accounts-store.ts'

type Deps = { db: Database; clock: Clock; searches: Searches }

export function createAccounts({ db, clock, searches }: Deps) {
  async function read(caller: Caller): Promise<Account> {
    return await readAccount(db, caller.accountId)
  }

  async function update(caller: Caller, change: AccountPatch): Promise<Account> {
    const { name, email, phone } = readContact('Account', change)
    const patch = {
      ...defined({ name, email, phone }),
    }
    if (Object.keys(patch).length === 0) return await read(caller)
    return await db.transaction().execute(async (tx) => {
      const now = clock.now()
      const account = await updateAccount(tx, caller.accountId, { ...patch, updated_at: now })
      await recordAudit(tx, {
        accountId: caller.accountId,
        at: now,
        action: 'account.updated',
        actor: caller.user.email,
        details: { changed: Object.keys(patch) },
      })
      return account
    })
  }

  async function audit(caller: Pick<Caller, 'accountId'>, query: PagedQuery) {
    return await searches.run(caller.accountId, (db) => listAudit(db, caller, query))
  }

  /** D301: the whole log. */
  function wholeAudit(caller: Caller, query: PagedQuery) {
    const { accountId } = caller
    return allPages(query, (page) => searches.run(accountId, (db) => readAuditPage(db, caller, page)))
  }

  return { read, update, audit, wholeAudit }
}
export type Accounts = ReturnType<typeof createAccounts>
