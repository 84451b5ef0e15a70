/** SQL of the SIP messages of calls. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'

export type StoredTrace = { callId: string; node: string; storedAt: Date; messages: Buffer }

const added = defineUnnest<StoredTrace>('trace', {
  call_id: ['uuid', ({ callId }) => callId],
  node: ['text', ({ node }) => node],
  stored_at: ['timestamptz', ({ storedAt }) => storedAt.toISOString()],
  messages: ['bytea', ({ messages }) => messages],
})

/** In one statement. */
export async function insertTraces(db: Database, traces: readonly StoredTrace[]) {
  const columns = sql.raw(added.names.join(', '))
  await sql`
    insert into sip_traces (${columns}) select * from ${added.sql(traces)} on conflict do nothing`.execute(db)
}

/** One of each node that had a part in the call. */
export async function selectTraces(db: Database, callId: string) {
  return await db
    .selectFrom('sip_traces')
    .select(['node', 'messages'])
    .where('call_id', '=', callId)
    .orderBy('stored_at')
    .execute()
}
