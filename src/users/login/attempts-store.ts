/** SQL of counted attempts. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'

/** Counts one, in the window that runs or in a new one. */
export async function countAttempt(db: Database, key: Buffer, now: Date, endsAt: Date) {
  return await db
    .insertInto('attempts')
    .values({ key, count: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when attempts.ends_at <= ${now} then 1 else attempts.count + 1 end`,
        ends_at: sql`case when attempts.ends_at <= ${now} then excluded.ends_at else attempts.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
}

export async function readAttempts(db: Database, key: Buffer) {
  return await db
    .selectFrom('attempts')
    .select(['count', 'ends_at'])
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function deleteAttempts(db: Database, key: Buffer) {
  await db.deleteFrom('attempts').where('key', '=', key).execute()
}

export async function deleteEndedAttempts(db: Database, now: Date) {
  await deleteInBatches(db, { table: 'attempts', column: 'ends_at', before: now })
}
