/** SQL of nodes, of the proof of life of their calls, and of calls whose node is dead. */
import { sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { unprepared } from '../../store/prepared-statements.ts'
import type { NodeState } from '../../store/tables.ts'
import { defineUnnest } from '../../store/unnest.ts'
import { type CallSnapshot, snapshotColumns } from '../announcer.ts'
import { unansweredStatus } from '../call.ts'
import { durationSql } from '../events/transitions-store.ts'

/** Lease times are the database's: the clocks of the machines may differ. */
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

type LeasedNode = {
  id: string
  roles: string[]
  address: string | null
  state: NodeState
  startedAt: Date
}

export async function renewNode(db: Database, node: LeasedNode, leaseSeconds: number) {
  const changing = { address: node.address, state: node.state, lease_until: inSeconds(leaseSeconds) }
  await db
    .insertInto('voice_nodes')
    .values({ id: node.id, roles: node.roles, started_at: node.startedAt, ...changing })
    .onConflict((known) => known.column('id').doUpdateSet(changing))
    .execute()
}

/** The row stays: the next process at the same address takes over the registrations that refer to it. */
export async function stopNode(db: Database, id: string) {
  await db
    .updateTable('voice_nodes')
    .set({ state: 'stopped', lease_until: inSeconds(0) })
    .where('id', '=', id)
    .execute()
}

/** A proof of life, in the time of the call. */
type Proof = { id: string; at: Date }

const proofs = defineUnnest<Proof>('proof', {
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ at }) => at],
})

/** Returns which of these calls are still live and on this node. A call that moved just now, or is locked, needs no stamp. */
export async function stampCalls(
  db: Database,
  { node, freshSeconds, given }: { node: string; freshSeconds: number; given: Proof[] },
): Promise<string[]> {
  const ids = given.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    with stamped as (
      update calls set alive_at = greatest(calls.alive_at, proof.at), stamped_at = now()
      from ${proofs.sql(given)}
      where calls.id = proof.id and calls.id in (
        select id from calls
        where id = any(${ids}::uuid[]) and node = ${node} and ended_at is null
          and stamped_at <= ${inSeconds(-freshSeconds)}
        for update skip locked))
    select id from calls where id = any(${ids}::uuid[]) and node = ${node} and ended_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

const orphanCause = 'RECOVERY_ON_TIMER_EXPIRE'

type OrphanCriteria = {
  /** Without a proof of life for so long, a call of a dead node is an orphan. */
  silentSeconds: number
  /** Without a proof of life for so long, a call of a living node is one too. */
  lostSeconds: number
  max: number
}

/** A version before this one stamps `alive_at` alone, by its own clock; from the future it proves nothing. */
const provenAt = sql`greatest(stamped_at, case when alive_at <= now() then alive_at end)`

export async function endOrphanedCalls(
  db: Database,
  { silentSeconds, lostSeconds, max }: OrphanCriteria,
): Promise<CallSnapshot[]> {
  const { rows } = await sql<CallSnapshot>`${sql.raw(unprepared)}
    with orphans as (
      select id, greatest(alive_at, answered_at) as alive_at from calls
      where ended_at is null and ${provenAt} <= ${inSeconds(-silentSeconds)}
        and (${provenAt} <= ${inSeconds(-lostSeconds)}
          or not exists (select from voice_nodes where voice_nodes.id = calls.node and lease_until > now()))
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
export async function deleteOldNodes(db: Database, afterSeconds: number) {
  await db.deleteFrom('voice_nodes').where('lease_until', '<', inSeconds(-afterSeconds)).execute()
}

/** Throws unless the database can be written to. */
export async function touchNode(db: Database, id: string) {
  await sql`update voice_nodes set state = state where id = ${id}`.execute(db)
}
