import { sql } from 'kysely'
import type { Database } from '../store/database.ts'

/** All extensions of an account by number, and whether each has a phone now. */
export async function selectPresences(db: Database, accountId: number, now: Date) {
  return await db
    .selectFrom('extensions')
    .leftJoin('registrations', (join) =>
      join.onRef('registrations.extension_id', '=', 'extensions.id').on('registrations.expires_at', '>', now),
    )
    .select([
      'extensions.id',
      'extensions.number',
      'extensions.first_name as firstName',
      'extensions.last_name as lastName',
      'extensions.do_not_disturb as isUndisturbed',
      sql<boolean>`registrations.extension_id is not null`.as('isRegistered'),
    ])
    .where('extensions.account_id', '=', accountId)
    .orderBy(sql`length(extensions.number)`)
    .orderBy('extensions.number')
    .execute()
}
