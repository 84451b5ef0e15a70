/** SQL of operators, their recovery codes and their sessions (D648). */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../../store/database.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Tables } from '../../store/tables.ts'

const columns = [
  'operators.id',
  'operators.name',
  'operators.email',
  'operators.password_hash',
  'operators.second_factor',
  'operators.last_step',
  'operators.new_factor',
  'operators.link_hash',
  'operators.link_expires_at',
  'operators.renews_factor',
  'operators.off_since',
  'operators.created_at',
  'operators.last_login_at',
] as const

export type OperatorRow = Selectable<Tables['operators']>

const select = (db: Database) => db.selectFrom('operators').select(columns)

export const selectOperators = (db: Database) => select(db).orderBy('operators.email').execute()

export const findByEmail = (db: Database, email: string) =>
  select(db).where('email', '=', email).executeTakeFirst()

export const findByLink = (db: Database, hash: Buffer) =>
  select(db).where('link_hash', '=', hash).executeTakeFirst()

/** Locked until the transaction ends. */
export const findLocked = (tx: Database, id: number) =>
  select(tx).where('id', '=', id).forUpdate().executeTakeFirst()

export async function hasOperator(db: Database): Promise<boolean> {
  return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
}

export const insertOperator = (tx: Database, row: Insertable<Tables['operators']>) =>
  tx.insertInto('operators').values(row).returning(columns).executeTakeFirstOrThrow()

export const updateOperator = (tx: Database, id: number, change: Updateable<Tables['operators']>) =>
  tx.updateTable('operators').set(change).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()

export async function replaceCodes(tx: Database, operatorId: number, hashes: Buffer[]) {
  await tx.deleteFrom('operator_recovery_codes').where('operator_id', '=', operatorId).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('operator_recovery_codes')
    .values(hashes.map((hash) => ({ operator_id: operatorId, hash })))
    .execute()
}

/** False if the operator has no such code, or no longer. */
export async function takeCode(tx: Database, operatorId: number, hash: Buffer): Promise<boolean> {
  const taken = await tx
    .deleteFrom('operator_recovery_codes')
    .where('operator_id', '=', operatorId)
    .where('hash', '=', hash)
    .returning('operator_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function countCodes(tx: Database, operatorId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('operator_recovery_codes')
    .select((codes) => codes.fn.countAll<string>().as('count'))
    .where('operator_id', '=', operatorId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertSession(tx: Database, row: Insertable<Tables['operator_sessions']>) {
  await tx.insertInto('operator_sessions').values(row).execute()
}

/** The operator of a session that has not ended, unless switched off. */
export const findBySession = (db: Database, hash: Buffer, now: Date) =>
  select(db)
    .innerJoin('operator_sessions', 'operator_sessions.operator_id', 'operators.id')
    .where('operator_sessions.hash', '=', hash)
    .where('operator_sessions.expires_at', '>', now)
    .where('operators.off_since', 'is', null)
    .executeTakeFirst()

/** False if it had ended already. */
export async function deleteSession(tx: Database, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operator_sessions')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns how many there were. */
export async function deleteSessions(tx: Database, operatorId: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteEndedSessions(db: Database, now: Date) {
  await deleteInBatches(db, { table: 'operator_sessions', column: 'expires_at', before: now })
}
