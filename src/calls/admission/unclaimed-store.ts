/** SQL of calls that were placed at one process and wait for the node of their phone to claim them (D240). */
import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import { type CallSnapshot, snapshotColumns } from '../announcer.ts'
import { unansweredStatus } from '../call.ts'
import type { NewCall } from '../calls-store.ts'
import { claimSeconds, notTakenCause, type StoredCommand, withdrawnCause } from './stored-command.ts'

export type ClaimedCall = {
  callId: string
  /** The process that waits for the first event. */
  origin: string
  command: StoredCommand
  /** Somebody asked to hang it up before it was claimed. */
  isHungUp: boolean
}

/** Deleting the row is the claim: of a node and the sweep, one gets it. Locked in one order, so no deadlock. */
const claimText = `
  with claimed as (
    delete from unclaimed_calls where call_id in (
      select call_id from unclaimed_calls where node = $1 and claim_until > now()
      order by call_id for update skip locked)
    returning call_id, origin, command)
  select claimed.call_id as "callId", origin, command, hangup_requested_at is not null as "isHungUp"
  from claimed join calls on calls.id = claimed.call_id
  where calls.ended_at is null order by claimed.call_id`

export async function claimCalls(db: Database, node: string): Promise<ClaimedCall[]> {
  return (await db.executeQuery<ClaimedCall>(CompiledQuery.raw(claimText, [node]))).rows
}

type HandedOver = { call: NewCall; grant: StoredCommand['grant'] }

const handedOver = defineUnnest<HandedOver>('handed', {
  call_id: ['uuid', ({ call }) => call.id],
  node: ['text', ({ call }) => call.node],
  origin: ['text', ({ call }) => call.handOver?.origin],
  command: ['jsonb', ({ call, grant }) => JSON.stringify({ ...call.handOver?.command, grant })],
})

/**
 * In the transaction that stores the calls. The time to claim them counts from its beginning: a call that waited longer for
 * its locks rings nowhere (D501).
 */
export async function insertUnclaimed(tx: Database, calls: HandedOver[]) {
  if (calls.length === 0) return
  await sql`
    insert into unclaimed_calls (${sql.raw(handedOver.names.join(', '))}, claim_until)
    select handed.*, now() + make_interval(secs => ${claimSeconds})
    from ${handedOver.sql(calls)}`.execute(tx)
}

/** D502: for the node at which the phone is now, with a new time to claim it. False if the call is over. */
export async function passCallOn(
  db: Database,
  { callId, origin, command }: ClaimedCall,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with passed as (
      update calls set node = ${to} where id = ${callId} and node = ${from} and ended_at is null returning id)
    insert into unclaimed_calls (call_id, node, origin, command, claim_until)
    select id, ${to}, ${origin}, ${JSON.stringify(command)}::jsonb, now() + make_interval(secs => ${claimSeconds})
    from passed`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** D227: takes a call back before its node claims it: the sweep ends it. False if the node was faster. */
export async function withdrawCall(db: Database, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with withdrawn as (
      update unclaimed_calls set claim_until = '-infinity' where call_id = ${id} and claim_until > now()
      returning call_id)
    update calls set hangup_requested_at = coalesce(calls.hangup_requested_at, now())
    from withdrawn where calls.id = withdrawn.call_id and calls.ended_at is null`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/**
 * Ends calls that were withdrawn, or not claimed in time; in the time of the call, which is that of the process that placed
 * it. D557: `ended_by` stays null, since no node had the call.
 */
export async function endUnclaimedCalls(db: Database, max: number): Promise<CallSnapshot[]> {
  const { rows } = await sql<CallSnapshot>`
    with late as (
      delete from unclaimed_calls where call_id in (
        select call_id from unclaimed_calls where claim_until <= now()
        order by call_id limit ${max} for update skip locked)
      returning call_id)
    update calls set
      status = ${ifWithdrawn(unansweredStatus(withdrawnCause), unansweredStatus(notTakenCause))},
      hangup_cause = ${ifWithdrawn(withdrawnCause, notTakenCause)},
      ended_at = calls.started_at + make_interval(secs => ${claimSeconds}), duration = 0
    from late where calls.id = late.call_id and calls.ended_at is null
    returning ${sql.raw(snapshotColumns)}`.execute(db)
  return rows
}

function ifWithdrawn(value: string, otherwise: string) {
  return sql`case when calls.hangup_requested_at is not null then ${value} else ${otherwise} end`
}

/** Whether its node may still claim it, did so, or cannot any more; then its first event, or `over` if it has ended since. */
type CallStage = 'unclaimed' | 'claimed' | 'not taken' | 'ringing' | 'ended' | 'over'

/** How far a call of another node has come, for a process that waits for it. */
export async function findStage(db: Database, id: string): Promise<CallStage> {
  const stage = await readStage(db, id)
  if (stage !== 'late') return stage
  await keepFromNode(db, id)
  return await findStage(db, id)
}

/** `late`: not claimed in time, as far as is committed. */
async function readStage(db: Database, id: string): Promise<CallStage | 'late'> {
  const row = await db
    .selectFrom('calls')
    .leftJoin('unclaimed_calls', 'unclaimed_calls.call_id', 'calls.id')
    .select(['status', 'ringing_at', 'answered_at', 'ended_at', 'ended_by', 'transfer_of'])
    .select(
      sql<'unclaimed' | 'not taken' | 'late' | null>`case when claim_until > now() then 'unclaimed'
        when claim_until = '-infinity' then 'not taken' when claim_until is not null then 'late' end`.as(
        'claim',
      ),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return 'ended'
  // D557: the cause does not tell: a node that stops ends the calls that it has dialled with the same one.
  if (row.ended_at && row.ended_by === null) return 'not taken'
  if (row.ended_at) return row.ringing_at || row.answered_at ? 'over' : 'ended'
  if (row.claim !== null) return row.claim
  // D282: a second call is stored as connecting.
  const first = row.transfer_of ? 'connecting' : 'queued'
  return row.status === first ? 'claimed' : 'ringing'
}

/** A claim that began in time, and is committed only now, is waited for: its call rings (D501). */
async function keepFromNode(db: Database, id: string) {
  await sql`update unclaimed_calls set claim_until = '-infinity' where call_id = ${id} and claim_until <= now()`.execute(
    db,
  )
}
