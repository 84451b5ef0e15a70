/** Integrations: made, changed and listed by the user they belong to (D54, D80). */
import { refuse } from '../contract/errors.ts'
import type { ListQuery } from '../filter/list-query.ts'
import { applyList } from '../filter/sql/list-sql.ts'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { violatedConstraint } from '../store/database-errors.ts'
import { type Action, recordAudit } from '../users/audit.ts'
import type { Caller } from '../users/caller.ts'
import { type Integration, type IntegrationWish, mostIntegrations, readWebhook } from './integration.ts'
import {
  countIntegrations,
  type IntegrationRow,
  insertIntegration,
  lockIntegration,
  lockListeners,
  selectIntegrations,
  updateIntegration,
} from './integrations-store.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

type Deps = {
  db: Database
  clock: Clock
  secrets: WebhookSecrets
  /** D88 */
  allowPrivate: boolean
}

export function createIntegrations({ db, clock, secrets, allowPrivate }: Deps) {
  async function create(caller: Caller, wish: IntegrationWish): Promise<Integration> {
    const settings = columnsOf(wish)
    const now = clock.now()
    const row = await db
      .transaction()
      .execute(async (tx) => {
        await lockListeners(tx, caller.accountId)
        if ((await countIntegrations(tx, caller.user.id)) >= mostIntegrations)
          throw refuse('INTEGRATION_LIMIT')
        const made = await insertIntegration(tx, {
          account_id: caller.accountId,
          user_id: caller.user.id,
          ...settings,
          ...secrets.make(),
          created_at: now,
          updated_at: now,
        })
        await note(tx, caller, 'integration.created', made.code)
        return made
      })
      .catch(sayExists)
    return open(row)
  }

  /** What is sent; the metadata as a whole (D80). */
  async function update(caller: Caller, id: number, wish: Partial<IntegrationWish>): Promise<Integration> {
    const row = await change(caller, id, 'integration.updated', (before) => ({
      ...columnsOf({
        code: wish.code ?? before.code,
        webhook: wish.webhook ?? before.webhook,
        constraint: wish.constraint === undefined ? before.given_constraint : wish.constraint,
        metadata: wish.metadata ?? before.metadata,
      }),
    }))
    return open(row)
  }

  async function rotateSecret(caller: Caller, id: number): Promise<Integration> {
    return open(
      await change(caller, id, 'integration.secret-rotated', (before) => secrets.rotate(before, clock.now())),
    )
  }

  async function change(
    caller: Caller,
    id: number,
    action: Action,
    changes: (before: IntegrationRow) => Parameters<typeof updateIntegration>[2],
  ): Promise<IntegrationRow> {
    return await db
      .transaction()
      .execute(async (tx) => {
        await lockListeners(tx, caller.accountId)
        const before = await lockIntegration(tx, caller.user.id, id)
        if (!before) throw refuse('INTEGRATION_NOT_FOUND')
        const after = await updateIntegration(tx, id, { ...changes(before), updated_at: clock.now() })
        await note(tx, caller, action, after.code)
        return after
      })
      .catch(sayExists)
  }

  async function find(caller: Caller, id: number): Promise<Integration> {
    const row = await selectIntegrations(db, caller.user.id).where('id', '=', id).executeTakeFirst()
    if (!row) throw refuse('INTEGRATION_NOT_FOUND')
    return open(row)
  }

  async function list(caller: Caller, query: ListQuery): Promise<Integration[]> {
    const rows = await applyList(selectIntegrations(db, caller.user.id), query).execute()
    return rows.map(open)
  }

  function columnsOf(wish: IntegrationWish) {
    const { url, version, eventTypes, conditions } = readWebhook(wish, allowPrivate)
    return {
      code: wish.code,
      webhook: wish.webhook,
      given_constraint: wish.constraint && JSON.stringify(wish.constraint),
      metadata: JSON.stringify(wish.metadata),
      url,
      version,
      event_types: eventTypes,
      conditions: JSON.stringify(conditions),
    }
  }

  function open(row: IntegrationRow): Integration {
    return {
      id: row.id,
      code: row.code,
      webhook: row.webhook,
      constraint: row.given_constraint,
      metadata: row.metadata,
      secret: secrets.open(row.secret),
      previousSecretUntil: row.old_secret_until,
      lastError: row.last_error,
      lastErrorAt: row.last_error_at,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }

  async function note(tx: Database, { accountId, user }: Caller, action: Action, subject: string) {
    await recordAudit(tx, { accountId, at: clock.now(), action, actor: user.email, subject })
  }

  return { create, update, rotateSecret, find, list }
}
export type Integrations = ReturnType<typeof createIntegrations>

function sayExists(error: unknown): never {
  if (violatedConstraint(error) !== 'integrations_code_key') throw error
  const { message } = refuse('INTEGRATION_EXISTS')
  throw refuse('INTEGRATION_EXISTS', {
    details: { context: 'Integration', codes: { gateway: ['uniqueness'] }, messages: { gateway: [message] } },
  })
}
