/** SQL of nodes, of the proof of life of their calls, and of calls whose node is dead. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { unprepared } from '../../store/prepared-statements.ts'
import type { NodeState } from '../../store/tables.ts'
import { type CallSnapshot, snapshotColumns } from '../announcer.ts'
import { unansweredStatus } from '../call.ts'
import { durationSql } from '../events/transitions-store.ts'

type LeasedNode = {
  id: string
  roles: string[]
  address: string | null
  state: NodeState
  startedAt: Date
  leaseUntil: Date
}

export async function renewNode(db: Database, node: LeasedNode) {
  const changing = { address: node.address, state: node.state, lease_until: node.leaseUntil }
  await db
    .insertInto('voice_nodes')
    .values({ id: node.id, roles: node.roles, started_at: node.startedAt, ...changing })
    .onConflict((known) => known.column('id').doUpdateSet(changing))
    .execute()
}

/** The row stays: the next process at the same address takes over the registrations that refer to it. */
export async function stopNode(db: Database, id: string, now: Date) {
  await db
    .updateTable('voice_nodes')
    .set({ state: 'stopped', lease_until: now })
    .where('id', '=', id)
    .execute()
}

type Proof = { node: string; now: Date; staleSince: Date; ids: string[] }

/** Returns which of these calls are still live and on this node. A call that moved just now, or is locked, needs no stamp. */
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

const orphanCause = 'RECOVERY_ON_TIMER_EXPIRE'

type OrphanCriteria = {
  now: Date
  /** Without a proof of life since then, a call of a dead node is an orphan. */
  silentSince: Date
  /** Without a proof of life since then, a call of a living node is one too. */
  lostSince: Date
  max: number
}

export async function endOrphanedCalls(
  db: Database,
  { now, silentSince, lostSince, max }: OrphanCriteria,
): Promise<CallSnapshot[]> {
  const { rows } = await sql<CallSnapshot>`${sql.raw(unprepared)}
    with orphans as (
      select id, greatest(alive_at, answered_at) as alive_at from calls
      where ended_at is null and alive_at <= ${silentSince}
        and (alive_at <= ${lostSince}
          or not exists (select from voice_nodes where voice_nodes.id = calls.node and lease_until > ${now}))
      limit ${max} for update skip locked)
    update calls
    set status = case when calls.answered_at is null then ${unansweredStatus(orphanCause)} else 'completed' end,
      ended_at = orphans.alive_at, hangup_cause = ${orphanCause}, ended_by = 'service',
      duration = ${sql.raw(durationSql('orphans.alive_at'))}
    from orphans where calls.id = orphans.id and calls.ended_at is null
    returning ${sql.raw(snapshotColumns)}`.execute(db)
  return rows
}

/** Their calls were ended, and their registrations expired, long ago. */
export async function deleteOldNodes(db: Database, leaseEndedBefore: Date) {
  await db.deleteFrom('voice_nodes').where('lease_until', '<', leaseEndedBefore).execute()
}

/** Throws unless the database can be written to. */
export async function touchNode(db: Database, id: string) {
  await sql`update voice_nodes set state = state where id = ${id}`.execute(db)
}
