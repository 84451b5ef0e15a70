/** SQL of the processes of a fleet. */
import { type RawBuilder, sql } from 'kysely'
import { maxClockOffsetMs } from '../store/connection/database-clock.ts'
import type { Database } from '../store/database.ts'
import type { NodeParts, NodeState, NodeTrunk } from '../store/tables.ts'

/** A node that missed four renewals, one every 5 s, gets no new calls. */
export const leaseSeconds = 20
/** D225: a node may be alive, and carry calls, for so long after its lease. */
export const graceSeconds = 35

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
  takesCalls: boolean
  parts: NodeParts
}

export type Renewal = {
  /** Time of the database. */
  time: Date
  isDrainRequested: boolean
  /** Other nodes whose lease has not run out. */
  others: number
  /** Those of them whose clock agrees with the database's (D516). */
  othersOnTime: number
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
    takes_calls: node.takesCalls,
    parts: JSON.stringify(node.parts),
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
      others(sql`abs(other.clock_offset_ms) <= ${maxClockOffsetMs}`).as('othersOnTime'),
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
  /** D625: what it knows of the parts that it uses, as of its last renewal. */
  parts: NodeParts
}

/** Another process has started in its place: of the same roles, on the same machine, at the same address. */
const isReplaced = sql<boolean>`exists (select from voice_nodes as next
  where next.host = voice_nodes.host and next.roles = voice_nodes.roles
    and next.address is not distinct from voice_nodes.address
    and next.started_at > voice_nodes.lease_until - make_interval(secs => ${leaseSeconds}))`

/**
 * D225: whether the node of a call has none any more: it is known to be gone, or has hung them up by now. Several processes without
 * an address may run on one machine.
 */
export const isNodeOfCallGone = sql<boolean>`not exists (select from voice_nodes where voice_nodes.id = calls.node
  and (lease_until > now() or lease_until > ${inSeconds(-graceSeconds)}
    and not (voice_nodes.address is not null and ${isReplaced})))`

/**
 * Without killed processes whose place another one has taken since. A killed process without one is known for `lostSeconds` after
 * its lease (D249).
 */
export async function readNodes(db: Database, lostSeconds: number): Promise<NodeRow[]> {
  const isForgotten = sql<boolean>`state <> 'stopped' and lease_until <= now()
    and (lease_until <= ${inSeconds(-lostSeconds)} or ${isReplaced})`
  return await db
    .selectFrom('voice_nodes')
    .where(sql<boolean>`not (${isForgotten})`)
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
      'parts',
    ])
    .orderBy('started_at')
    .orderBy('id')
    .execute()
}

/** Addresses of living nodes that take new work, the oldest first. */
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
