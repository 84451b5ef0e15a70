/** SQL of who is in a call now: only what the presence of extensions needs. */
import type { Database } from '../../store/database.ts'

export async function selectLiveParties(db: Database, accountId: number) {
  return await db
    .selectFrom('calls')
    .select(['id', 'call_type', 'status', 'from_number', 'to_number', 'transfer_of', 'transferred_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute()
}
export type LiveParties = Awaited<ReturnType<typeof selectLiveParties>>[number]
