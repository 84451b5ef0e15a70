/** SQL of voice nodes and of the proof that their calls live. */
import { sql } from 'kysely'
import type { Database } from '../store/database.ts'
import { unprepared } from '../store/prepared-statements.ts'
import { type CallSnapshot, snapshotColumns } from './announcer.ts'
import { unansweredStatus } from './call.ts'
import { durationSql } from './transitions-store.ts'

export async function renewNode(db: Database, node: { id: string; startedAt: Date; leaseUntil: Date }) {
  await db
    .insertInto('voice_nodes')
    .values({ id: node.id, started_at: node.startedAt, lease_until: node.leaseUntil })
    .onConflict((known) => known.column('id').doUpdateSet({ lease_until: node.leaseUntil }))
    .execute()
}

/** Throws if the database cannot be reached. */
export async function readAnyNode(db: Database) {
  await db.selectFrom('voice_nodes').select('id').limit(1).execute()
}

export async function deleteNode(db: Database, id: string) {
  await db.deleteFrom('voice_nodes').where('id', '=', id).execute()
}

type Proof = { node: string; now: Date; staleSince: Date; ids: string[] }

/** Says which of these calls of the node are not over. One that moved a moment ago, or is being moved, needs no stamp. */
export async function stampCalls(db: Database, { node, now, staleSince, ids }: Proof): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with stamped as (
      update calls set alive_at = ${now}
      where id in (
        select id from calls
        where id = any(${ids}::uuid[]) and node = ${node} and ended_at is null and alive_at <= ${staleSince}
        for update skip locked))
    select id from calls where id = any(${ids}::uuid[]) and node = ${node} and ended_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

const lapsedCause = 'RECOVERY_ON_TIMER_EXPIRE'

type Silence = { now: Date; silentSince: Date; lostSince: Date; most: number }

export async function endOrphanedCalls(
  db: Database,
  { now, silentSince, lostSince, most }: Silence,
): Promise<CallSnapshot[]> {
  const { rows } = await sql<CallSnapshot>`${sql.raw(unprepared)}
    with orphans as (
      select id, greatest(alive_at, answered_at) as alive_at from calls
      where ended_at is null and alive_at <= ${silentSince}
        and (alive_at <= ${lostSince}
          or not exists (select from voice_nodes where voice_nodes.id = calls.node and lease_until > ${now}))
      limit ${most} for update skip locked)
    update calls
    set status = case when calls.answered_at is null then ${unansweredStatus(lapsedCause)} else 'completed' end,
      ended_at = orphans.alive_at, hangup_cause = ${lapsedCause}, ended_by = 'service',
      duration = ${sql.raw(durationSql('orphans.alive_at'))}
    from orphans where calls.id = orphans.id and calls.ended_at is null
    returning ${sql.raw(snapshotColumns)}`.execute(db)
  return rows
}

/** Their calls, if any, were ended long ago. */
export async function deleteOldNodes(db: Database, leaseEndedBefore: Date) {
  await db.deleteFrom('voice_nodes').where('lease_until', '<', leaseEndedBefore).execute()
}
