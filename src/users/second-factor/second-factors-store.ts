/** SQL of second factors and their recovery codes. */
import type { Database } from '../../store/database.ts'

export async function findSecondFactor(db: Database, userId: number) {
  return await db
    .selectFrom('second_factors')
    .select(['secret', 'created_at', 'enabled_at', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** A secret that was never enabled is replaced. */
export async function replaceSecret(db: Database, userId: number, secret: Buffer, now: Date) {
  await db
    .insertInto('second_factors')
    .values({ user_id: userId, secret, created_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ secret, created_at: now, enabled_at: null, last_step: 0 }),
    )
    .execute()
}

export async function updateSecondFactor(
  db: Database,
  userId: number,
  change: { last_step: number; enabled_at?: Date },
) {
  await db.updateTable('second_factors').set(change).where('user_id', '=', userId).execute()
}

/** With its recovery codes. False if there was none that was enabled. */
export async function deleteSecondFactor(db: Database, userId: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('enabled_at')
    .executeTakeFirst()
  return Boolean(deleted?.enabled_at)
}

export async function replaceRecoveryCodes(db: Database, userId: number, hashes: Buffer[]) {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

/** False if the user has no such code, or no longer. */
export async function takeRecoveryCode(db: Database, userId: number, hash: Buffer): Promise<boolean> {
  const taken = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((codes) => codes.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
