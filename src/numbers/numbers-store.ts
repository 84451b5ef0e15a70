/** SQL of numbers and their proofs. */
import { type Selectable, sql } from 'kysely'
import type { CodeCallOutcome, Proof } from '../contract/accounts/numbers.ts'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'

const columns = [
  'numbers.id',
  'numbers.number',
  'numbers.proof',
  'numbers.verified_at',
  'numbers.created_at',
] as const

/** With the newest call that was to verify it, if any. */
export type NumberRow = Omit<Selectable<Tables['numbers']>, 'account_id'> & {
  called_at: Date | null
  call_ended_at: Date | null
  call_outcome: CodeCallOutcome | null
}

/** Any fixed number that no other advisory lock of ours begins with. */
const numberLock = 72_642_520

/** Until the transaction ends, nobody else changes who has the number, or claims it. */
export async function lockNumber(tx: Database, number: string) {
  await sql`select pg_advisory_xact_lock(${numberLock}::int, hashtext(${number}))`.execute(tx)
}

export function selectNumbers(db: Database, accountId: number) {
  return db
    .selectFrom('numbers')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('number_calls')
          .select(['started_at as called_at', 'ended_at as call_ended_at', 'outcome as call_outcome'])
          .whereRef('number_calls.number', '=', 'numbers.number')
          .whereRef('number_calls.account_id', '=', 'numbers.account_id')
          .orderBy('started_at', 'desc')
          .limit(1)
          .as('last_call'),
      (join) => join.onTrue(),
    )
    .select(columns)
    .select(['called_at', 'call_ended_at', 'call_outcome'])
    .where('numbers.account_id', '=', accountId)
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
  verified: { proof: Proof; at: Date },
) {
  await tx
    .updateTable('numbers')
    .set({ proof: verified.proof, verified_at: verified.at })
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .execute()
}

/** Whichever account has it. */
export async function clearProof(tx: Database, number: string) {
  await tx
    .updateTable('numbers')
    .set({ proof: null, verified_at: null })
    .where('number', '=', number)
    .where('proof', 'is not', null)
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
