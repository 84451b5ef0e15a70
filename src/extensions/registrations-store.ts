/** SQL of registrations: many at a time, in one statement each. */
import { type RawBuilder, sql } from 'kysely'
import type { ExtensionName, Registration } from '../engine/port.ts'
import type { Database } from '../store/database.ts'
import { recordAudit } from '../users/audit.ts'

/** D76, for the audit log. */
export type Displacement = { extension: ExtensionName; at: Date; details: Record<string, unknown> }

function named(names: readonly ExtensionName[]): RawBuilder<unknown> {
  const domains = names.map(({ domain }) => domain)
  const numbers = names.map(({ number }) => number)
  return sql`unnest(${domains}::text[], ${numbers}::text[]) as name (domain, number)
    join accounts on accounts.domain = name.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = name.number`
}

function told(registrations: readonly Registration[]): RawBuilder<unknown> {
  const column = <T>(read: (one: Registration) => T) => registrations.map(read)
  return sql`unnest(
      ${column(({ extension }) => extension.domain)}::text[],
      ${column(({ extension }) => extension.number)}::text[],
      ${column(({ registeredAt }) => registeredAt)}::timestamptz[],
      ${column(({ expiresAt }) => expiresAt)}::timestamptz[],
      ${column(({ userAgent }) => userAgent ?? null)}::text[],
      ${column(({ way }) => way)}::text[]
    ) as told (domain, number, registered_at, expires_at, user_agent, way)
    join accounts on accounts.domain = told.domain
    join extensions on extensions.account_id = accounts.id and extensions.number = told.number`
}

/** The newest registration of an extension counts, on whichever node. In order of ids, so that no two writers lock crosswise. */
export async function upsertRegistrations(db: Database, node: string, begun: readonly Registration[]) {
  await sql`
    insert into registrations (extension_id, node, registered_at, expires_at, user_agent, way)
    select extensions.id, ${node}, told.registered_at, told.expires_at, told.user_agent, told.way
    from ${told(begun)}
    order by extensions.id
    on conflict (extension_id) do update set
      node = excluded.node, registered_at = excluded.registered_at, expires_at = excluded.expires_at,
      user_agent = excluded.user_agent, way = excluded.way`.execute(db)
}

/** Only where the phone is still ours: it may have gone to another node, or its password changed. */
export async function refreshRegistrations(db: Database, node: string, refreshed: readonly Registration[]) {
  await sql`
    update registrations set expires_at = told.expires_at, way = told.way
    from ${told(refreshed)}
    where registrations.extension_id = extensions.id and registrations.node = ${node}`.execute(db)
}

export async function deleteRegistrations(db: Database, node: string, gone: readonly ExtensionName[]) {
  await sql`
    delete from registrations using ${named(gone)}
    where registrations.extension_id = extensions.id and registrations.node = ${node}`.execute(db)
}

/** Those that another node has. */
export async function findMoved(db: Database, node: string, begun: readonly Registration[]) {
  const { rows } = await sql<ExtensionName>`
    select name.domain, name.number from ${named(begun.map(({ extension }) => extension))}
    join registrations on registrations.extension_id = extensions.id
    where registrations.node <> ${node}`.execute(db)
  return rows
}

/** D76. */
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

export async function findRegistrations(db: Database, node: string, now: Date): Promise<Registration[]> {
  const { rows } = await sql<
    Omit<Registration, 'extension' | 'userAgent'> & ExtensionName & { userAgent: string | null }
  >`
    select accounts.domain, extensions.number, registrations.registered_at as "registeredAt",
      registrations.expires_at as "expiresAt", registrations.user_agent as "userAgent", registrations.way
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
