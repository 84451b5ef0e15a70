/** SQL of suspended accounts (D616). */
import type { Database } from '../store/database.ts'

export type Suspension = { since: Date; reason: string }

/** Id of the account; undefined if there is none, or it is suspended already. */
export async function suspendAccount(
  tx: Database,
  domain: string,
  { since, reason }: Suspension,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('accounts')
    .set({ suspended_at: since, suspension_reason: reason })
    .where('domain', '=', domain)
    .where('suspended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Id of the account; undefined if there is none, or it is not suspended. */
export async function releaseAccount(tx: Database, domain: string): Promise<number | undefined> {
  const row = await tx
    .updateTable('accounts')
    .set({ suspended_at: null, suspension_reason: null })
    .where('domain', '=', domain)
    .where('suspended_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Null if the account is not suspended; undefined if there is none. */
export async function findSuspension(db: Database, domain: string): Promise<Suspension | null | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(['suspended_at', 'suspension_reason'])
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row && toSuspension(row)
}

export function toSuspension(row: {
  suspended_at: Date | null
  suspension_reason: string | null
}): Suspension | null {
  const { suspended_at: since, suspension_reason: reason } = row
  return since === null ? null : { since, reason: reason ?? '' }
}

/** Ids of all suspended accounts. */
export async function findSuspended(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('accounts').select('id').where('suspended_at', 'is not', null).execute()
  return rows.map(({ id }) => id)
}
