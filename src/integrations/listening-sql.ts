/** SQL of who listens to which events, for statements of other modules that cannot afford another round trip. */
import { sql } from 'kysely'
import { adminTypes, type WebhookType } from '../contract/webhooks/events.ts'

/** True if a webhook of the account lists the type. `account` is an SQL expression. */
export function wantsType(account: string, type: WebhookType): string {
  return `exists (select from integrations listening
    where listening.account_id = ${account} and listening.webhook and '${type}' = any(listening.event_types))`
}

const forAdmins = [...adminTypes].map((type) => `'${type}'`).join(', ')

/**
 * The types that webhooks of the account list, as a JSON array; those that only ADMINs receive if an ADMIN lists them
 * (D125). `account` is an SQL expression.
 */
export function listedTypes(account: string): string {
  return `coalesce((
    select json_agg(distinct type) from integrations listening, unnest(listening.event_types) type
    where listening.account_id = ${account} and listening.webhook and (type not in (${forAdmins})
      or exists (select from users where users.id = listening.user_id and users.role = 'ADMIN'))), '[]')`
}

/** The columns that sending needs of the integration joined as `i`. */
export const sendingColumns =
  'i.account_id, i.webhook, i.url, i.url_login, i.secret, i.old_secret, i.old_secret_until'

/** Joins the integration with the id, as `i`, if there is one. `id` is an SQL expression. */
export function joinIntegration(id: string): string {
  return `left join integrations i on i.id = ${id}`
}

/** The user whose integration it is. `id` is an SQL expression. */
export function ownerOf(id: string): string {
  return `(select owned.user_id from integrations owned where owned.id = ${id})`
}

/** Joins all integrations of the account, as `i`. `account` is an SQL expression. */
export function joinIntegrationsOf(account: string): string {
  return `join integrations i on i.account_id = ${account}`
}

/** The ids of the user's integrations, as an array. */
export function ownedBy(userId: number) {
  return sql<number[]>`array(select owned.id from integrations owned where owned.user_id = ${userId})`
}

/** What its owner calls the integration. `id` is an SQL expression. */
export function codeOf(id: string): string {
  return `(select named.code from integrations named where named.id = ${id})`
}

/**
 * D83: joins `event` (account_id, user_id, kind) with its receivers, as `i`. An ADMIN's webhook receives all events of
 * the account, a USER's those of that user. `only` is an SQL expression: the one integration to receive it, whatever it
 * lists, or null.
 */
export function joinReceivers(event: string, only: string): string {
  return `join integrations i on i.account_id = ${event}.account_id and i.webhook
      and case when ${only} is null then ${event}.kind = any(i.event_types) else i.id = ${only} end
    join users u on u.id = i.user_id and (u.role = 'ADMIN' or u.id = ${event}.user_id)`
}
