/** SQL of failed attempts, as the owner of a webhook sees them. */
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'
import { defineUnnest } from '../store/unnest.ts'

export type WebhookFailure = {
  integrationId: number
  url: string
  error: string
  at: Date
  /** The receiver answered 410. */
  isGone: boolean
}

const failed = defineUnnest<WebhookFailure>('failed', {
  id: ['bigint', ({ integrationId }) => integrationId],
  url: ['text', ({ url }) => url],
  error: ['text', ({ error }) => error],
  at: ['timestamptz', ({ at }) => at],
  gone: ['boolean', ({ isGone }) => isGone],
})

/**
 * Shows the last error of each integration; at most one failure each may be given. D86: an answer of 410 turns the
 * webhook off, unless it has another URL by now. Rows are locked in id order, so no deadlock.
 */
export async function recordFailures(tx: Database, failures: WebhookFailure[]) {
  await sql`
    with failed as (
      select * from ${failed.sql(failures)}
    ), locked as (
      select i.id from integrations i where i.id in (select id from failed) order by i.id for no key update
    )
    update integrations i
    set last_error = failed.error, last_error_at = failed.at,
      webhook = i.webhook and not (failed.gone and i.url = failed.url)
    from failed join locked on locked.id = failed.id
    where i.id = failed.id`.execute(tx)
}

/** Webhooks whose last attempt failed since then, the newest first. */
export async function readFailures(db: Database, since: Date, limit: number) {
  return await db
    .selectFrom('integrations')
    .select(['account_id as accountId', 'code', 'last_error as error', 'last_error_at as at'])
    .where('last_error_at', '>=', since)
    .orderBy('last_error_at', 'desc')
    .limit(limit)
    .execute()
}
