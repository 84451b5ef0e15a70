/** SQL of numbers and their proofs. */
import { type Selectable, sql } from 'kysely'
import type { Proof } from '../contract/numbers.ts'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'

const columns = [
  'numbers.id',
  'numbers.number',
  'numbers.proof',
  'numbers.verified_at',
  'numbers.created_at',
] as const

export type NumberRow = Omit<Selectable<Tables['numbers']>, 'account_id'>

/** Any fixed number that no other advisory lock of ours begins with. */
const numberLock = 72_642_520

/** Until the transaction ends, nobody else changes who has the number, or claims it. */
export async function lockNumber(tx: Database, number: string) {
  await sql`select pg_advisory_xact_lock(${numberLock}::int, hashtext(${number}))`.execute(tx)
}

export function selectNumbers(db: Database, accountId: number) {
  return db.selectFrom('numbers').select(columns).where('numbers.account_id', '=', accountId)
}

/** Call `lockNumber` first, as for all that change a number. */
export async function insertClaim(tx: Database, accountId: number, number: string, now: Date) {
  await tx
    .insertInto('numbers')
    .values({ account_id: accountId, number, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'number']).doNothing())
    .execute()
}

/** The account that has the number verified. */
export async function findHolder(tx: Database, number: string) {
  return await tx
    .selectFrom('numbers')
    .select(['id', 'account_id', 'proof'])
    .where('number', '=', number)
    .where('proof', 'is not', null)
    .executeTakeFirst()
}

export async function setProof(
  tx: Database,
  { accountId, number }: { accountId: number; number: string },
  verified: { proof: Proof; at: Date } | null,
) {
  await tx
    .updateTable('numbers')
    .set({ proof: verified?.proof ?? null, verified_at: verified?.at ?? null })
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .execute()
}

export async function countNumbers(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('numbers')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteNumber(tx: Database, accountId: number, number: string) {
  await tx.deleteFrom('numbers').where('account_id', '=', accountId).where('number', '=', number).execute()
}

export async function deleteUnverified(tx: Database, accountId: number, number: string) {
  await tx
    .deleteFrom('numbers')
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .where('proof', 'is', null)
    .execute()
}

/** For the operator: of every account, or of one. */
export async function readNumbers(db: Database, domain: string | undefined) {
  const all = db
    .selectFrom('numbers')
    .innerJoin('accounts', 'accounts.id', 'numbers.account_id')
    .select(['numbers.number', 'numbers.proof', 'numbers.verified_at', 'accounts.domain'])
    .orderBy('numbers.number')
    .orderBy('accounts.domain')
  return await (domain === undefined ? all : all.where('accounts.domain', '=', domain)).execute()
}

export async function findDomain(db: Database, accountId: number): Promise<string | undefined> {
  const row = await db.selectFrom('accounts').select('domain').where('id', '=', accountId).executeTakeFirst()
  return row?.domain
}
