/** SQL of registrations: many at a time, in one statement each. */
import { type RawBuilder, sql } from 'kysely'
import type { ExtensionName, Registration } from '../engine/port.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit.ts'

/** D76: a newer phone took the extension over; for the audit log. */
export type Displacement = { extension: ExtensionName; at: Date; details: Record<string, unknown> }

function named(names: readonly ExtensionName[]): RawBuilder<unknown> {
  const domains = names.map(({ domain }) => domain)
  const numbers = names.map(({ number }) => number)
  return sql`unnest(${domains}::text[], ${numbers}::text[]) as name (domain, number)
    join accounts on accounts.domain = name.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = name.number`
}

function reported(registrations: readonly Registration[]): RawBuilder<unknown> {
  const column = <T>(read: (one: Registration) => T) => registrations.map(read)
  return sql`unnest(
      ${column(({ extension }) => extension.domain)}::text[],
      ${column(({ extension }) => extension.number)}::text[],
      ${column(({ registeredAt }) => registeredAt)}::timestamptz[],
      ${column(({ expiresAt }) => expiresAt)}::timestamptz[],
      ${column(({ userAgent }) => userAgent ?? null)}::text[],
      ${column(({ state }) => state ?? '')}::text[]
    ) as reported (domain, number, registered_at, expires_at, user_agent, way)
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
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', extension.domain)
    .executeTakeFirst()
  if (!account) return
  const subject = extension.number
  await recordAudit(db, {
    accountId: account.id,
    at,
    action: 'extension.displaced',
    actor: null,
    subject,
    details,
  })
}

/** From nodes that were reached at the same address: they are gone, or this process could not listen there. */
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

export async function deleteExpired(db: Database, now: Date) {
  await db.deleteFrom('registrations').where('expires_at', '<', now).execute()
}
