/** SQL of the event log: events of an account backwards, and what became of them at the integrations of a user. */
import { sql } from 'kysely'
import type { DeliveryState, EventSubject, WebhookType } from '../../contract/webhooks/events.ts'
import { codeOf, ownedBy } from '../../integrations/listening-sql.ts'
import type { Database } from '../../store/database.ts'

/** Columns that decide whether an event is shown; without its payload, since many may be passed over. */
export type LogRow = {
  id: number
  position: number
  user_id: number | null
  kind: WebhookType
  subject_kind: EventSubject
}

type Scan = {
  accountId: number
  before: number | undefined
  callId: string | undefined
  limit: number
}

/** Newest first. A call is looked up by its id, everything else by the position in the feed. */
export async function scanEvents(
  db: Database,
  { accountId, before, callId, limit }: Scan,
): Promise<LogRow[]> {
  const ofCall = callId === undefined ? sql`` : sql`and call_id = ${callId}`
  const { rows } = await sql<LogRow>`
    select id, position, user_id, kind, subject_kind from events
    where account_id = ${accountId} and position > 0 and position < ${before ?? Number.MAX_SAFE_INTEGER}
      ${ofCall}
    order by position desc limit ${limit}`.execute(db)
  return rows
}

type LoggedDelivery = { integrationId: number; gateway: string; status: DeliveryState }

export type LoggedEvent = {
  position: number
  kind: WebhookType
  subject: EventSubject
  subjectId: string
  createdAt: Date
  payload: string
  /** To integrations of the user. */
  deliveries: LoggedDelivery[]
}

/** The events with these ids, newest first. */
export async function readLogged(db: Database, userId: number, ids: number[]): Promise<LoggedEvent[]> {
  const { rows } = await sql<LoggedEvent>`
    select events.position, events.kind, events.subject_kind as subject,
      coalesce(events.subject_id, events.call_id::text) as "subjectId",
      events.created_at as "createdAt", events.payload,
      coalesce((
        select json_agg(json_build_object('integrationId', sent.integration_id,
          'gateway', ${sql.raw(codeOf('sent.integration_id'))}, 'status', sent.state) order by sent.integration_id)
        from deliveries sent
        where sent.event_id = events.id and sent.integration_id = any(${ownedBy(userId)})), '[]') as deliveries
    from events where events.id = any(${ids}::bigint[])
    order by events.position desc`.execute(db)
  return rows
}
