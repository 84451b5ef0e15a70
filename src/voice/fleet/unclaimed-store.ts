/** SQL of calls that were placed at one process and wait for the node of their phone to claim them (D240). */
import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../../store/database.ts'
import { type CallSnapshot, snapshotColumns } from '../announcer.ts'
import { unansweredStatus } from '../call.ts'
import { claimSeconds, type StoredCommand } from './stored-command.ts'

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

const unclaimedCause = 'NORMAL_TEMPORARY_FAILURE'

/** Ends calls that were not claimed in time; in the time of the call, which is that of the process that placed it. */
export async function endUnclaimedCalls(db: Database, max: number): Promise<CallSnapshot[]> {
  const { rows } = await sql<CallSnapshot>`
    with late as (
      delete from unclaimed_calls where call_id in (
        select call_id from unclaimed_calls where claim_until <= now()
        order by call_id limit ${max} for update skip locked)
      returning call_id)
    update calls set status = ${unansweredStatus(unclaimedCause)}, hangup_cause = ${unclaimedCause},
      ended_at = calls.started_at + make_interval(secs => ${claimSeconds}), ended_by = 'service', duration = 0
    from late where calls.id = late.call_id and calls.ended_at is null
    returning ${sql.raw(snapshotColumns)}`.execute(db)
  return rows
}
