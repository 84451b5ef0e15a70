/** SQL of the operator's log. */
import type { Insertable } from 'kysely'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export async function insertOperatorChange(tx: Database, row: Insertable<Tables['operator_log']>) {
  await tx.insertInto('operator_log').values(row).execute()
}

export async function readOperatorChanges(
  db: Database,
  { operator, limit, offset }: { operator?: string | undefined; limit: number; offset: number },
) {
  const log = db
    .selectFrom('operator_log')
    .$if(operator !== undefined, (query) => query.where('operator_log.operator', '=', operator ?? ''))
  const rows = await log
    .leftJoin('accounts', 'accounts.id', 'operator_log.account_id')
    .select([
      'operator_log.id',
      'operator_log.at',
      'operator_log.action',
      'operator_log.subject',
      'operator_log.reason',
      'operator_log.details',
      'operator_log.operator',
      'accounts.domain',
    ])
    .orderBy('operator_log.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await log.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}
