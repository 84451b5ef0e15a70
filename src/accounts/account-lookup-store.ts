/** Accounts as other modules look them up, within their own transactions. */
import { sql } from 'kysely'
import type { CallVisibility } from '../contract/accounts/accounts.ts'
import type { Database } from '../store/database.ts'
import { containing } from '../store/like-pattern.ts'
import { toSuspension } from './suspension-store.ts'

/** D325: accounts that keep recordings for a time of their own, and what is removed of theirs already. */
export async function findOwnRetentions(db: Database) {
  return await db
    .selectFrom('accounts')
    .select(['id', sql<number>`recording_days`.as('days'), 'recordings_swept_until as sweptUntil'])
    .where('recording_days', 'is not', null)
    .orderBy('id')
    .execute()
}

export async function markSwept(db: Database, accountId: number, until: Date) {
  await db
    .updateTable('accounts')
    .set({ recordings_swept_until: until })
    .where('id', '=', accountId)
    .execute()
}

/** D599: which calls USERs of the account see. */
export async function findCallVisibility(db: Database, accountId: number): Promise<CallVisibility> {
  const { call_visibility } = await db
    .selectFrom('accounts')
    .select('call_visibility')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return call_visibility
}

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

/** Domains by id. */
export async function findDomains(db: Database, ids: number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'domain'])
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, domain }) => [id, domain]))
}

/** For the operator: an account of any state. */
export async function findAccountByDomain(db: Database, domain: string) {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'uuid', 'name', 'email', 'phone', 'time_zone', 'activated_at', 'created_at'])
    .select(['suspended_at', 'suspension_reason'])
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row && { ...row, suspension: toSuspension(row) }
}

type AccountSearch = {
  /** A part of the domain, the name or the e-mail. */
  text: string
  limit: number
  offset: number
}

/** For the operator: accounts of any state, by domain, and how many there are in all. */
export async function searchAccounts(db: Database, { text, limit, offset }: AccountSearch) {
  const pattern = containing(text)
  const found = db
    .selectFrom('accounts')
    .where((account) =>
      account.or((['domain', 'name', 'email'] as const).map((column) => account(column, 'ilike', pattern))),
    )
  const [rows, { total }] = await Promise.all([
    found
      .select(['id', 'domain', 'name', 'email', 'activated_at', 'suspended_at', 'created_at'])
      .orderBy('domain')
      .limit(limit)
      .offset(offset)
      .execute(),
    found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}
