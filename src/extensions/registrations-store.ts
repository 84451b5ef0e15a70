/** SQL of registrations: many at a time, in one statement each. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { findAccountIds } from '../accounts/account-lookup-store.ts'
import type { ExtensionName, Registration } from '../engine/port.ts'
import type { Database } from '../store/database.ts'
import { defineUnnest } from '../store/unnest.ts'
import { recordAudit } from '../users/audit.ts'

/** D76: a newer phone took the extension over; for the audit log. */
export type Displacement = { extension: ExtensionName; at: Date; details: Record<string, unknown> }

const extensionNames = defineUnnest<ExtensionName>('name', {
  domain: ['text', ({ domain }) => domain],
  number: ['text', ({ number }) => number],
})

const reportedRegistrations = defineUnnest<Registration>('reported', {
  domain: ['text', ({ extension }) => extension.domain],
  number: ['text', ({ extension }) => extension.number],
  registered_at: ['timestamptz', ({ registeredAt }) => registeredAt],
  expires_at: ['timestamptz', ({ expiresAt }) => expiresAt],
  user_agent: ['text', ({ userAgent }) => userAgent ?? null],
  way: ['text', ({ state }) => state ?? ''],
})

/** Joined with their accounts and extensions. */
function named(names: readonly ExtensionName[]): RawBuilder<unknown> {
  return sql`${extensionNames.sql(names)}
    join accounts on accounts.domain = name.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = name.number`
}

/** Joined with their accounts and extensions. */
function reported(registrations: readonly Registration[]): RawBuilder<unknown> {
  return sql`${reportedRegistrations.sql(registrations)}
    join accounts on accounts.domain = reported.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = reported.number`
}

/** The newest registration of an extension replaces any other, of any node. Written in id order, so no deadlock. */
export async function upsertRegistrations(db: Database, node: string, begun: readonly Registration[]) {
  await sql`
    insert into registrations (extension_id, node, registered_at, expires_at, user_agent, way)
    select extensions.id, ${node}, reported.registered_at, reported.expires_at, reported.user_agent, reported.way
    from ${reported(begun)}
    order by extensions.id
    on conflict (extension_id) do update set
      node = excluded.node, registered_at = excluded.registered_at, expires_at = excluded.expires_at,
      user_agent = excluded.user_agent, way = excluded.way`.execute(db)
}

/** Only registrations still at this node: the phone may have moved to another node, or its password changed. */
export async function refreshRegistrations(db: Database, node: string, refreshed: readonly Registration[]) {
  await sql`
    update registrations set expires_at = reported.expires_at, way = reported.way
    from ${reported(refreshed)}
    where registrations.extension_id = extensions.id and registrations.node = ${node}`.execute(db)
}

export async function deleteRegistrations(db: Database, node: string, gone: readonly ExtensionName[]) {
  await sql`
    delete from registrations using ${named(gone)}
    where registrations.extension_id = extensions.id and registrations.node = ${node}`.execute(db)
}

/** Extensions whose phone was registered at another node. */
export async function findMoved(db: Database, node: string, begun: readonly Registration[]) {
  const { rows } = await sql<ExtensionName>`
    select name.domain, name.number from ${named(begun.map(({ extension }) => extension))}
    join registrations on registrations.extension_id = extensions.id
    where registrations.node <> ${node}`.execute(db)
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

export async function findRegistrations(db: Database, node: string, now: Date): Promise<Registration[]> {
  const { rows } = await sql<
    Omit<Registration, 'extension' | 'userAgent'> & ExtensionName & { userAgent: string | null }
  >`
    select accounts.domain, extensions.number, registrations.registered_at as "registeredAt",
      registrations.expires_at as "expiresAt", registrations.user_agent as "userAgent", registrations.way as state
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

/** `address`: where other nodes reach it; null if it is not known yet. */
export type PhoneNode = { id: string; address: string | null; state: 'active' | 'draining' }

const phoneNodesText = `
  select name.domain, name.number, voice_nodes.id, voice_nodes.address, voice_nodes.state
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
