/** SQL of the proof of life of calls, and of calls whose node is dead. */
import { type RawBuilder, sql } from 'kysely'
import { unprepared } from '../store/connection/prepared-statements.ts'
import type { Database } from '../store/database.ts'
import { defineUnnest } from '../store/unnest.ts'
import { type CallSnapshot, snapshotColumns } from './announcer.ts'
import { unansweredStatus } from './call.ts'
import { durationSql } from './events/transitions-store.ts'

/** A proof of life, in the time of the call. */
export type Proof = { id: string; at: Date }

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
          and stamped_at <= now() - make_interval(secs => ${freshSeconds})
        for update skip locked))
    select id from calls where id = any(${ids}::uuid[]) and node = ${node} and ended_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

const orphanCause = 'RECOVERY_ON_TIMER_EXPIRE'

type OrphanCriteria = {
  /** Of a row of `calls`: its node carries no calls any more. */
  isNodeGone: RawBuilder<boolean>
  /** Without a proof of life for so long, a call of such a node is an orphan. */
  silentSeconds: number
  /** Without a proof of life for so long, a call of a living node is one too. */
  lostSeconds: number
  max: number
}

/** Older versions write `alive_at` alone, by their own clock: it is ignored if it lies in the future. */
const provenAt = sql`greatest(stamped_at, case when alive_at <= now() then alive_at end)`

export async function endOrphanedCalls(
  db: Database,
  { isNodeGone, silentSeconds, lostSeconds, max }: OrphanCriteria,
): Promise<CallSnapshot[]> {
  const { rows } = await sql<CallSnapshot>`${sql.raw(unprepared)}
    with orphans as (
      select id, greatest(alive_at, answered_at) as alive_at from calls
      where ended_at is null and ${provenAt} <= now() - make_interval(secs => ${silentSeconds})
        and (${provenAt} <= now() - make_interval(secs => ${lostSeconds}) or ${isNodeGone})
      limit ${max} for update skip locked)
    update calls
    set status = case when calls.answered_at is null then ${unansweredStatus(orphanCause)} else 'completed' end,
      ended_at = orphans.alive_at, hangup_cause = ${orphanCause}, ended_by = 'service',
      duration = ${sql.raw(durationSql('orphans.alive_at'))}
    from orphans where calls.id = orphans.id and calls.ended_at is null
    returning ${sql.raw(snapshotColumns)}`.execute(db)
  return rows
}
