/** SQL of registrations: many at a time, in one statement each. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { findAccountIds } from '../../accounts/account-lookup-store.ts'
import type { ExtensionName, Registration } from '../../engine/port.ts'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'
import { recordAudit } from '../../users/audit/audit.ts'

/** D76: a newer phone took the extension over; for the audit log. */
export type Displacement = { extension: ExtensionName; at: Date; details: Record<string, unknown> }

const extensionNames = defineUnnest<ExtensionName>('name', {
  domain: ['text', ({ domain }) => domain],
  number: ['text', ({ number }) => number],
})

/** D500: `renewedAt`: when the phone sent its last REGISTER. */
export type RenewedRegistration = Registration & { renewedAt: Date }

const reportedRegistrations = defineUnnest<RenewedRegistration>('reported', {
  domain: ['text', ({ extension }) => extension.domain],
  number: ['text', ({ extension }) => extension.number],
  registered_at: ['timestamptz', ({ registeredAt }) => registeredAt],
  expires_at: ['timestamptz', ({ expiresAt }) => expiresAt],
  user_agent: ['text', ({ userAgent }) => userAgent ?? null],
  way: ['text', ({ state }) => state ?? ''],
  renewed_at: ['timestamptz', ({ renewedAt }) => renewedAt],
})

/** Joined with their accounts and extensions. */
function named(names: readonly ExtensionName[]): RawBuilder<unknown> {
  return sql`${extensionNames.sql(names)}
    join accounts on accounts.domain = name.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = name.number`
}

/** `before`: the node at which the phone was; `isStored`: false if it has registered at another node since. */
type Outcome = ExtensionName & { renewedAt: Date; isStored: boolean; before: string | null }

/**
 * D500: written whether there is a row or not. Of two nodes the one at which the phone registered last keeps it; a row
 * from the future, of a database whose clock was ahead, does not count. In id order, so no deadlock.
 */
export async function upsertRegistrations(
  db: Database,
  { node, now }: { node: string; now: Date },
  registrations: readonly RenewedRegistration[],
): Promise<Outcome[]> {
  const { rows } = await sql<Outcome>`
    with given as materialized (
      select extensions.id, reported.* from ${reportedRegistrations.sql(registrations)}
      join accounts on accounts.domain = reported.domain
      join extensions on extensions.account_id = accounts.id and extensions.number = reported.number),
    stored as (
      insert into registrations (extension_id, node, registered_at, expires_at, user_agent, way, renewed_at)
      select id, ${node}, registered_at, expires_at, user_agent, way, renewed_at from given order by id
      on conflict (extension_id) do update set
        node = excluded.node, registered_at = excluded.registered_at, expires_at = excluded.expires_at,
        user_agent = excluded.user_agent, way = excluded.way, renewed_at = excluded.renewed_at
      where registrations.node = excluded.node or registrations.renewed_at <= excluded.renewed_at
        or registrations.renewed_at > ${now}
      returning extension_id)
    select given.domain, given.number, given.renewed_at as "renewedAt", stored.extension_id is not null as "isStored",
      before.node as before
    from given
    left join stored on stored.extension_id = given.id
    left join registrations as before on before.extension_id = given.id`.execute(db)
  return rows
}

export async function deleteRegistrations(db: Database, node: string, gone: readonly ExtensionName[]) {
  await sql`
    delete from registrations using ${named(gone)}
    where registrations.extension_id = extensions.id and registrations.node = ${node}`.execute(db)
}

/** Row of a phone in the database; without a node there is none. */
export type StoredPhone = ExtensionName & {
  node: string | null
  renewedAt: Date | null
  /** When the extension was changed last. */
  changedAt: Date
}

/** Only for extensions that exist. */
export async function findStoredPhones(
  db: Database,
  names: readonly ExtensionName[],
): Promise<StoredPhone[]> {
  const { rows } = await sql<StoredPhone>`
    select name.domain, name.number, registrations.node, registrations.renewed_at as "renewedAt",
      extensions.updated_at as "changedAt"
    from ${named(names)}
    left join registrations on registrations.extension_id = extensions.id`.execute(db)
  return rows
}

/** Extensions whose phones are at this node, as the database knows. */
export async function findNamesAt(db: Database, node: string): Promise<ExtensionName[]> {
  const { rows } = await sql<ExtensionName>`
    select accounts.domain, extensions.number from registrations
    join extensions on extensions.id = registrations.extension_id
    join accounts on accounts.id = extensions.account_id
    where registrations.node = ${node}`.execute(db)
  return rows
}

/** D76: written to the audit log. */
export async function insertDisplaced(db: Database, { extension, at, details }: Displacement) {
  const accountId = (await findAccountIds(db, [extension.domain])).get(extension.domain)
  if (accountId === undefined) return
  const subject = extension.number
  await recordAudit(db, {
    accountId,
    at,
    action: 'extension.displaced',
    actor: null,
    subject,
    details,
  })
}

/** D129: from nodes that were reached at the same address. They are gone, or this process could not listen there. */
export async function takeOverRegistrations(
  db: Database,
  { node, address }: { node: string; address: string },
) {
  await sql`
    update registrations set node = ${node}
    where node in (select id from voice_nodes where address = ${address} and id <> ${node})`.execute(db)
}

export async function findRegistrations(
  db: Database,
  node: string,
  now: Date,
): Promise<RenewedRegistration[]> {
  const { rows } = await sql<
    Omit<RenewedRegistration, 'extension' | 'userAgent'> & ExtensionName & { userAgent: string | null }
  >`
    select accounts.domain, extensions.number, registrations.registered_at as "registeredAt",
      registrations.expires_at as "expiresAt", registrations.user_agent as "userAgent", registrations.way as state,
      registrations.renewed_at as "renewedAt"
    from registrations
    join extensions on extensions.id = registrations.extension_id
    join accounts on accounts.id = extensions.account_id
    where registrations.node = ${node} and registrations.expires_at > ${now}`.execute(db)
  return rows.map(({ domain, number, userAgent, ...row }) => ({
    ...row,
    extension: { domain, number },
    userAgent: userAgent ?? undefined,
  }))
}

type PhoneRow = {
  accountId: number
  extensionId: number
  number: string
  registeredAt: Date | null
  userAgent: string | null
}

/** Extensions of these accounts with their phones: those named (`number@domain`), or all that are registered. */
export async function selectPhones(
  db: Database,
  accountIds: number[],
  names: string[] | 'registered',
  now: Date,
): Promise<PhoneRow[]> {
  const phones = db
    .selectFrom('extensions')
    .leftJoin('registrations', (join) =>
      join.onRef('registrations.extension_id', '=', 'extensions.id').on('registrations.expires_at', '>', now),
    )
    .select([
      'extensions.account_id as accountId',
      'extensions.id as extensionId',
      'extensions.number',
      'registrations.registered_at as registeredAt',
      'registrations.user_agent as userAgent',
    ])
    .where('extensions.account_id', 'in', accountIds)
    .orderBy('extensions.id')
  if (names === 'registered')
    return await phones.where('registrations.registered_at', 'is not', null).execute()
  return await phones
    .innerJoin('accounts', 'accounts.id', 'extensions.account_id')
    .where(sql`extensions.number || '@' || accounts.domain`, 'in', names)
    .execute()
}

/** `address`: where other nodes reach it; null if it is not known yet. `takesCalls`: false when it is about to stop (D502). */
export type PhoneNode = { id: string; address: string | null; takesCalls: boolean }

const phoneNodesText = `
  select name.domain, name.number, voice_nodes.id, voice_nodes.address, voice_nodes.takes_calls as "takesCalls"
  from ${extensionNames.text()}
  join accounts on accounts.domain = name.domain
  join extensions on extensions.account_id = accounts.id and extensions.number = name.number
  join registrations on registrations.extension_id = extensions.id
  join voice_nodes on voice_nodes.id = registrations.node
  where registrations.expires_at > $${extensionNames.names.length + 1}
    and voice_nodes.lease_until > now() and voice_nodes.state <> 'stopped'`

/** The living nodes at which phones are registered. */
export async function findPhoneNodes(db: Database, names: readonly ExtensionName[], now: Date) {
  const query = CompiledQuery.raw(phoneNodesText, [...extensionNames.values(names), now])
  const { rows } = await db.executeQuery<ExtensionName & PhoneNode>(query)
  return rows.map(({ domain, number, ...node }) => ({ extension: { domain, number }, node }))
}

export async function deleteExpired(db: Database, now: Date) {
  await db.deleteFrom('registrations').where('expires_at', '<', now).execute()
}
