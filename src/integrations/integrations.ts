/** Integrations: created, changed and listed by the user who owns them (D54: roles; D80: PATCH creates and changes). */
import { fieldDetails, refuse } from '../contract/errors.ts'
import type { ListQuery } from '../filter/list-query.ts'
import type { Clock } from '../kit/clock.ts'
import { violatedConstraint } from '../store/connection/database-errors.ts'
import type { Database } from '../store/database.ts'
import type { Searches } from '../store/searches.ts'
import { type Action, recordAudit } from '../users/audit/audit.ts'
import type { Caller } from '../users/caller.ts'
import { readFailures } from './failures-store.ts'
import {
  type Integration,
  type IntegrationCeilings,
  type IntegrationInput,
  readWebhook,
} from './integration.ts'
import { checkCount } from './integration-ceilings.ts'
import {
  deleteIntegration,
  findIntegration,
  type IntegrationRow,
  insertIntegration,
  listIntegrations,
  lockIntegration,
  lockListeners,
  updateIntegration,
} from './integrations-store.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  secrets: WebhookSecrets
  /** D88: webhooks at addresses outside the public network are allowed. */
  allowPrivate: boolean
  ceilings: IntegrationCeilings
}

export function createIntegrations({ db, clock, searches, secrets, allowPrivate, ceilings }: Deps) {
  async function create(caller: Caller, input: IntegrationInput): Promise<Integration> {
    const settings = columnsOf(input)
    const now = clock.now()
    const row = await db
      .transaction()
      .execute(async (tx) => {
        await lockListeners(tx, caller.accountId)
        await checkCount(tx, caller, ceilings)
        const made = await insertIntegration(tx, {
          account_id: caller.accountId,
          user_id: caller.user.id,
          ...settings,
          ...secrets.make(),
          created_at: now,
          updated_at: now,
        })
        await audit(tx, caller, 'integration.created', made.code)
        return made
      })
      .catch(throwIfExists)
    return open(row)
  }

  /** Changes the fields that are given; the metadata as a whole (D80: PATCH). */
  async function update(caller: Caller, id: number, input: Partial<IntegrationInput>): Promise<Integration> {
    const row = await change(caller, id, 'integration.updated', (before) => {
      const whole = {
        code: input.code ?? before.code,
        webhook: input.webhook ?? before.webhook,
        constraint: input.constraint === undefined ? before.given_constraint : input.constraint,
        metadata: input.metadata ?? before.metadata,
      }
      return columnsOf(whole, before)
    })
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
        const changed = changes(before)
        const after = await updateIntegration(tx, id, { ...changed, updated_at: clock.now() })
        await audit(tx, caller, action, after.code)
        return after
      })
      .catch(throwIfExists)
  }

  /** D150: `removeDeliveries` runs in the same transaction. What happened before stays in the feed of events. */
  async function remove(caller: Caller, id: number, removeDeliveries: (tx: Database) => Promise<void>) {
    await db.transaction().execute(async (tx) => {
      await lockListeners(tx, caller.accountId)
      if (!(await findIntegration(tx, caller.user.id, id))) throw refuse('INTEGRATION_NOT_FOUND')
      // Deliveries before the integration, as the worker that records attempts locks them: no deadlock.
      await removeDeliveries(tx)
      const gone = await deleteIntegration(tx, caller.user.id, id)
      if (!gone) throw refuse('INTEGRATION_NOT_FOUND')
      await audit(tx, caller, 'integration.removed', gone.code)
    })
  }

  async function find(caller: Caller, id: number): Promise<Integration> {
    const row = await findIntegration(db, caller.user.id, id)
    if (!row) throw refuse('INTEGRATION_NOT_FOUND')
    return open(row)
  }

  async function list(caller: Caller, query: ListQuery): Promise<Integration[]> {
    const { accountId, user } = caller
    const rows = await searches.run(accountId, (db) => listIntegrations(db, user.id, query))
    return rows.map(open)
  }

  function columnsOf(input: IntegrationInput, before?: IntegrationRow) {
    const read = readWebhook(input, allowPrivate, before)
    const { url, login, version, eventTypes, conditions } = read
    return {
      code: input.code,
      webhook: input.webhook,
      given_constraint: input.constraint && JSON.stringify(input.constraint),
      metadata: JSON.stringify(read.metadata),
      url,
      // A masked password is the one that is stored.
      ...(login !== 'kept' && { url_login: login === null ? null : secrets.sealLogin(login) }),
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

  async function audit(tx: Database, { accountId, user }: Caller, action: Action, subject: string) {
    await recordAudit(tx, { accountId, at: clock.now(), action, actor: user.email, subject })
  }

  /** For the operator. */
  const failures = (since: Date, limit: number) => readFailures(db, since, limit)

  return { create, update, remove, rotateSecret, find, list, failures }
}
export type Integrations = ReturnType<typeof createIntegrations>

function throwIfExists(error: unknown): never {
  if (violatedConstraint(error) !== 'integrations_code_key') throw error
  const { texts } = refuse('INTEGRATION_EXISTS')
  throw refuse('INTEGRATION_EXISTS', {
    details: fieldDetails('Integration', { gateway: [{ code: 'uniqueness', message: texts }] }),
  })
}
