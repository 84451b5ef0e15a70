/** SQL of the recordings of calls. */
import { type Selectable, sql } from 'kysely'
import { type CallSnapshot, snapshotColumns } from '../calls/announcer.ts'
import type { Database } from '../store/database.ts'
import { type QueueState, selectQueueState } from '../store/queue-state.ts'
import type { Tables } from '../store/tables.ts'

export const recordedColumns = [
  'id',
  'account_id',
  'call_type',
  'started_at',
  'ended_at',
  'recording',
  'link_version',
] as const

export type RecordedCall = Pick<Selectable<Tables['calls']>, (typeof recordedColumns)[number]>

export async function selectRecorded(db: Database, ids: string[]): Promise<RecordedCall[]> {
  return await db.selectFrom('calls').select(recordedColumns).where('id', 'in', ids).execute()
}

/** Returns nothing if the recording is marked already, or was removed. */
export async function markStored(
  db: Database,
  id: string,
  sound?: { seconds: number; bytes: number },
): Promise<CallSnapshot | undefined> {
  const [seconds, bytes] = sound ? [Math.round(sound.seconds), sound.bytes] : [null, null]
  const { rows } = await sql<CallSnapshot>`
    update calls set recording = 'stored',
      recording_seconds = coalesce(${seconds}::int, recording_seconds),
      recording_bytes = coalesce(${bytes}::bigint, recording_bytes)
    where id = ${id} and (recording is null or recording in ('spooled', 'lost'))
    returning ${sql.raw(snapshotColumns)}`.execute(db)
  return rows[0]
}

export async function markRemoved(db: Database, ids: string[]) {
  await db
    .updateTable('calls')
    .set({ recording: 'removed' })
    .where('id', 'in', ids)
    .where('recording', 'in', ['spooled', 'stored'])
    .execute()
}

/** False if the recording is not in the store. Until the end of the transaction it is not removed. */
export async function lockStored(tx: Database, id: string): Promise<boolean> {
  const locked = await tx
    .selectFrom('calls')
    .select('id')
    .where('id', '=', id)
    .where('recording', '=', 'stored')
    .forShare()
    .executeTakeFirst()
  return locked !== undefined
}

/** D209: links of an earlier version are invalid from now on. False if the account has no such recording. */
export async function revokeLinks(tx: Database, accountId: number, callId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('calls')
    .set({ link_version: sql`link_version + 1` })
    .where('id', '=', callId)
    .where('account_id', '=', accountId)
    .where('recording', 'in', ['spooled', 'stored'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Part of the statement, not parameters: a plan that is made once for all values finds their partial index by them. */
const spooled = sql.lit('spooled' as const)
const kept = [spooled, sql.lit('stored' as const)]

/** Recordings not marked as stored yet, in id order after `last`. */
export async function selectSpooled(db: Database, last: string, max: number): Promise<RecordedCall[]> {
  return await db
    .selectFrom('calls')
    .select(recordedColumns)
    .where('recording', '=', spooled)
    .where('id', '>', last)
    .orderBy('id')
    .limit(max)
    .execute()
}

/**
 * D259: recordings of calls that ended before, on processes that are gone, and were not taken over by the next process
 * on the same disk. Of a process that died in a call it is not known whether it recorded.
 */
export async function markLost(tx: Database, before: Date, max: number): Promise<CallSnapshot[]> {
  const isOver = sql`ended_at < ${before}
    and not exists (select from voice_nodes where voice_nodes.id = calls.node and lease_until > now())`
  const { rows } = await sql<CallSnapshot>`
    with gone as (
      (select id from calls where recording = 'spooled' and ${isOver} limit ${max})
      union all
      (select id from calls where recording is null and record and answered_at is not null
        and hangup_cause = 'RECOVERY_ON_TIMER_EXPIRE' and ${isOver} limit ${max}))
    update calls set recording = 'lost' from gone
    where calls.id = gone.id and (recording is null or recording = 'spooled')
    returning ${sql.raw(snapshotColumns)}`.execute(tx)
  return rows
}

/** Filters by `started_at`, which is indexed, then by `ended_at`: a call that began in the range may have ended later. */
export async function selectOutdatedOf(
  db: Database,
  { accountId, since, before }: { accountId: number; since: Date | undefined; before: Date },
  max: number,
): Promise<RecordedCall[]> {
  return await db
    .selectFrom('calls')
    .select(recordedColumns)
    .where('account_id', '=', accountId)
    .where('started_at', '>=', since ?? sql<Date>`'-infinity'`)
    .where('started_at', '<', before)
    .where('ended_at', '<', before)
    .where('recording', 'in', kept)
    .orderBy('started_at')
    .limit(max)
    .execute()
}

/** Oldest first. */
export async function selectOutdated(db: Database, before: Date, max: number): Promise<RecordedCall[]> {
  return await db
    .selectFrom('calls')
    .select(recordedColumns)
    .where('recording', 'in', kept)
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(max)
    .execute()
}

export async function readSpoolQueue(db: Database): Promise<QueueState> {
  return await db
    .selectFrom('calls')
    .select(selectQueueState('ended_at'))
    .where('recording', '=', spooled)
    .executeTakeFirstOrThrow()
}
