/** SQL of alerts: when each rule last raised one. */
import { sql } from 'kysely'
import type { AlertRule } from '../../contract/accounts/account-limits.ts'
import type { Database } from '../../store/database.ts'

/** False if the rule raised an alert for the account within the last hour, in whichever process. */
export async function claimAlert(
  tx: Database,
  accountId: number,
  rule: AlertRule,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into account_alerts as alert (account_id, rule, raised_at)
    values (${accountId}, ${rule}, ${at}::timestamptz)
    on conflict (account_id, rule) do update set raised_at = excluded.raised_at
    where alert.raised_at <= excluded.raised_at - interval '1 hour'
    returning account_id`.execute(tx)
  return rows.length > 0
}

/** The newest first. */
export async function readAlerts(db: Database, since: Date, limit: number) {
  return await db
    .selectFrom('account_alerts')
    .select(['account_id as accountId', 'rule', 'raised_at as at'])
    .where('raised_at', '>=', since)
    .orderBy('raised_at', 'desc')
    .limit(limit)
    .execute()
}
