/** SQL of nodes, of the proof of life of their calls, and of calls whose node is dead. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { unprepared } from '../../store/prepared-statements.ts'
import type { NodeState, NodeTrunk } from '../../store/tables.ts'
import { defineUnnest } from '../../store/unnest.ts'
import { type CallSnapshot, snapshotColumns } from '../announcer.ts'
import { unansweredStatus } from '../call.ts'
import { durationSql } from '../events/transitions-store.ts'

/** Lease times are the database's: the clocks of the machines may differ. */
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

type LeasedNode = {
  id: string
  roles: string[]
  host: string
  version: string
  address: string | null
  state: NodeState
  startedAt: Date
  calls: number
  phones: number
  clockOffsetMs: number | undefined
  trunks: NodeTrunk[]
  /** Where phones reach it, by protocol. */
  phoneAddresses: Record<string, string>
}

export type Renewal = {
  /** Of the database. */
  time: Date
  isDrainRequested: boolean
  /** Other nodes whose lease has not run out. */
  others: number
  /** Those of them with the voice role. */
  otherVoiceNodes: number
}

/** One statement, which also reads what the node must know of the others. */
export async function renewNode(db: Database, node: LeasedNode, leaseSeconds: number): Promise<Renewal> {
  const changing = {
    address: node.address,
    lease_until: inSeconds(leaseSeconds),
    calls: node.calls,
    phones: node.phones,
    clock_offset_ms: node.clockOffsetMs ?? null,
    trunks: JSON.stringify(node.trunks),
    phone_addresses: JSON.stringify(node.phoneAddresses),
  }
  const { id, roles, host, version, state, startedAt } = node
  const others = (condition: RawBuilder<unknown>) => sql<number>`(select count(*)::integer
    from voice_nodes as other where other.id <> ${id} and other.lease_until > now() and ${condition})`
  return await db
    .insertInto('voice_nodes')
    .values({ id, roles, host, version, state, started_at: startedAt, ...changing })
    .onConflict((known) =>
      known.column('id').doUpdateSet({
        ...changing,
        state: sql<NodeState>`case when voice_nodes.drain_requested_at is null then excluded.state else 'draining' end`,
      }),
    )
    .returning([
      sql<Date>`clock_timestamp()`.as('time'),
      sql<boolean>`drain_requested_at is not null`.as('isDrainRequested'),
      others(sql`true`).as('others'),
      others(sql`'voice' = any(other.roles)`).as('otherVoiceNodes'),
    ])
    .executeTakeFirstOrThrow()
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

export type NodeRow = {
  id: string
  host: string | null
  roles: string[]
  address: string | null
  state: NodeState
  /** Its lease has not run out. */
  alive: boolean
  calls: number
  phones: number
  version: string | null
  clockOffsetMs: number | null
  startedAt: Date
  /** As it reported them with its last renewal. */
  trunks: NodeTrunk[]
}

export async function readNodes(db: Database): Promise<NodeRow[]> {
  return await db
    .selectFrom('voice_nodes')
    .select([
      'id',
      'host',
      'roles',
      'address',
      'state',
      sql<boolean>`lease_until > now()`.as('alive'),
      'calls',
      'phones',
      'version',
      'clock_offset_ms as clockOffsetMs',
      'started_at as startedAt',
      'trunks',
    ])
    .orderBy('started_at')
    .orderBy('id')
    .execute()
}

/** Of living nodes that take new work, the oldest first. */
export async function readPhoneAddresses(db: Database): Promise<Record<string, string>[]> {
  const rows = await db
    .selectFrom('voice_nodes')
    .select('phone_addresses')
    .where('lease_until', '>', sql<Date>`now()`)
    .where('state', '=', 'active')
    .orderBy('started_at')
    .orderBy('id')
    .execute()
  return rows.map(({ phone_addresses }) => phone_addresses)
}

/** Other processes see the state at once; the node itself writes it with every renewal. False if the node is gone. */
export async function requestDrain(db: Database, id: string, isDraining: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('voice_nodes')
    .set({
      drain_requested_at: isDraining ? sql<Date>`coalesce(drain_requested_at, now())` : null,
      ...(isDraining && { state: 'draining' as const }),
    })
    .where('id', '=', id)
    .where('lease_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
