/** Rows that the processes of a fleet store for each other: leases, where phones are registered, and calls that wait for their node. */
import { expect } from 'vitest'
import { renewNode } from '../../../src/nodes/nodes-store.ts'
import type { Database } from '../../../src/store/database.ts'

/** A node that runs nowhere, with a lease of so many seconds. */
type OtherNode = { leaseSeconds: number; state: 'active' | 'draining'; takesCalls: boolean; startedAt: Date }

export async function addNode(db: Database, id: string, { leaseSeconds, ...node }: OtherNode) {
  const leased = {
    ...node,
    id,
    roles: ['voice'],
    host: 'elsewhere',
    version: '1',
    address: null,
    calls: 0,
    phones: 1,
    clockOffsetMs: 0,
    trunks: [],
    phoneAddresses: {},
    parts: {},
  }
  await renewNode(db, leased, leaseSeconds)
}

/** `active`, `draining` or `stopped`, with the roles; undefined if there is no such node. */
export const nodeState = (db: Database, id: string) =>
  db.selectFrom('voice_nodes').select(['roles', 'state']).where('id', '=', id).executeTakeFirst()

type Phone = { at: Date; seconds: number; userAgent: string }

/** As a voice node stores it. */
export async function storeRegistration(
  db: Database,
  extensionId: number,
  { at, seconds, userAgent }: Phone,
) {
  const registration = {
    extension_id: extensionId,
    node: 'node',
    registered_at: at,
    expires_at: new Date(at.getTime() + seconds * 1000),
    user_agent: userAgent,
    way: '{}',
  }
  await db.insertInto('registrations').values(registration).execute()
}

/** As if the phone of the extension were registered at the node. */
export async function movePhone(db: Database, extensionId: number, node: string) {
  await db.updateTable('registrations').set({ node }).where('extension_id', '=', extensionId).execute()
}

/** Nobody knows where phones are, as after the failover to a replica that did not have the rows yet (D500). */
export async function forgetPhones(db: Database, extensionId?: number) {
  const all = db.deleteFrom('registrations')
  await (extensionId === undefined ? all : all.where('extension_id', '=', extensionId)).execute()
}

/** Returns when the directory says that the phone of an extension of the account is at the node. */
export async function phoneIsAt(db: Database, phone: { domain: string; number: string }, node: string) {
  const stored = db
    .selectFrom('registrations')
    .innerJoin('extensions', 'extensions.id', 'extension_id')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select('node')
    .where('domain', '=', phone.domain)
    .where('number', '=', phone.number)
  await expect.poll(() => stored.executeTakeFirst()).toEqual({ node })
}

/** Waits for a call to this number that no node has claimed. */
export async function unclaimedTo(db: Database, number: string): Promise<string> {
  await expect.poll(async () => (await findUnclaimed(db, number))?.id).toBeDefined()
  return (await findUnclaimed(db, number))?.id ?? ''
}

/** Waits until somebody has asked to hang up the call that no node has claimed. */
export async function hangupIsAsked(db: Database, number: string) {
  await expect.poll(async () => (await findUnclaimed(db, number))?.hangup_requested_at).toBeInstanceOf(Date)
}

const findUnclaimed = (db: Database, number: string) =>
  db
    .selectFrom('unclaimed_calls')
    .innerJoin('calls', 'calls.id', 'unclaimed_calls.call_id')
    .select(['calls.id', 'calls.hangup_requested_at'])
    .where('calls.to_number', '=', number)
    .executeTakeFirst()

/** The time in which a node may claim the calls that wait is over. */
export async function endClaimTime(db: Database) {
  await db
    .updateTable('unclaimed_calls')
    .set({ claim_until: new Date(0) })
    .execute()
}

/** Unclaimed calls of one node wait for another. */
export async function handCalls(db: Database, { from, to }: { from: string; to: string }) {
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('calls').set({ node: to }).where('node', '=', from).execute()
    await tx.updateTable('unclaimed_calls').set({ node: to }).where('node', '=', from).execute()
  })
}

/** As by its node: claims the call, which rings, is answered and ends, all in one moment. */
export async function carryOut(db: Database, id: string, at: Date) {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('unclaimed_calls').where('call_id', '=', id).execute()
    await tx
      .updateTable('calls')
      .set({ status: 'completed', ended_at: at, hangup_cause: 'NORMAL_CLEARING', ended_by: 'extension' })
      .set({ ringing_at: at, answered_at: at })
      .where('id', '=', id)
      .execute()
  })
}
