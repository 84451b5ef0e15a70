/** Accounts as other modules look them up, within their own transactions. */
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'

/** Ids by domain; a domain without an account is missing. */
export async function findAccountIds(db: Database, domains: string[]): Promise<Map<string, number>> {
  if (domains.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'domain'])
    .where('domain', '=', sql<string>`any(${domains}::text[])`)
    .execute()
  return new Map(rows.map(({ id, domain }) => [domain, id]))
}
