import type { Database } from '../store/database.ts'

/** Returns the number of the extension. */
export async function storeDoNotDisturb(
  tx: Database,
  { accountId, id, isOn, now }: { accountId: number; id: number; isOn: boolean; now: Date },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('extensions')
    .set({ do_not_disturb: isOn, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('number')
    .executeTakeFirst()
  return row?.number
}
