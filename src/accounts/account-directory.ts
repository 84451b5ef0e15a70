/** All accounts, for the operator. */
import type { Database } from '../store/database.ts'
import { findAccountByDomain, findDomains, searchAccounts } from './account-lookup-store.ts'

export function createAccountDirectory({ db }: { db: Database }) {
  return {
    search: (search: Parameters<typeof searchAccounts>[1]) => searchAccounts(db, search),
    /** Undefined if there is none. */
    find: (domain: string) => findAccountByDomain(db, domain),
    domainsOf: (ids: number[]) => findDomains(db, ids),
  }
}
export type AccountDirectory = ReturnType<typeof createAccountDirectory>
