/** SQL of the trunks that the operator added or switched. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { notify } from '../../store/notices/notices.ts'

export const trunksChannel = 'trunks'

export type TrunkRow = { name: string; settings: Buffer | null; is_on: boolean }

export async function readTrunks(db: Database): Promise<TrunkRow[]> {
  return await db.selectFrom('trunks').select(['name', 'settings', 'is_on']).orderBy('name').execute()
}

/** One change at a time: the limit and the names are checked against what is there. Reading goes on. */
export async function lockTrunks(tx: Database) {
  await sql`lock table trunks in share row exclusive mode`.execute(tx)
}

export async function writeTrunk(tx: Database, row: TrunkRow & { changed_at: Date }) {
  const { is_on, changed_at } = row
  await tx
    .insertInto('trunks')
    .values(row)
    .onConflict((known) => known.column('name').doUpdateSet({ is_on, changed_at }))
    .execute()
}

export async function readSettings(tx: Database, name: string): Promise<Buffer | null | undefined> {
  const row = await tx.selectFrom('trunks').select('settings').where('name', '=', name).executeTakeFirst()
  return row?.settings
}

export async function updateSettings(tx: Database, name: string, settings: Buffer, changedAt: Date) {
  await tx.updateTable('trunks').set({ settings, changed_at: changedAt }).where('name', '=', name).execute()
}

export async function deleteTrunk(tx: Database, name: string) {
  await tx.deleteFrom('trunks').where('name', '=', name).execute()
}

/** Notifies, on commit, every process. */
export async function notifyTrunksChanged(tx: Database) {
  await notify(tx, trunksChannel, '')
}
