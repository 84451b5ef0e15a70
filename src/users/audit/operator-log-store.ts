/** SQL of the operator's log. */
import type { Insertable } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export async function insertOperatorChange(tx: Database, row: Insertable<Tables['operator_log']>) {
  await tx.insertInto('operator_log').values(row).execute()
}

export async function readOperatorChanges(
  db: Database,
  { limit, offset }: { limit: number; offset: number },
) {
  const rows = await db
    .selectFrom('operator_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await db
    .selectFrom('operator_log')
    .select((log) => log.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}
