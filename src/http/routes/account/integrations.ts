/** Integrations (spec §4.6) and the deliveries of their webhooks (D90: additions). */

import { problem, refuse, refuseFields } from '../../../contract/errors.ts'
import { expensive } from '../../../contract/limits.ts'
import { givenId, listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { Delivery, DeliveryDetail } from '../../../contract/webhooks/events.ts'
import { Integration, IntegrationPatch, Recovery } from '../../../contract/webhooks/integrations.ts'
import { readBareList, readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields } from '../../../filter/selection.ts'
import type { Integration as IntegrationRecord } from '../../../integrations/integration.ts'
import { integrationList } from '../../../integrations/integration-list.ts'
import type { Integrations } from '../../../integrations/integrations.ts'
import { defined } from '../../../kit/defined.ts'
import { appendMember, parseExactJson } from '../../../kit/text/json-text.ts'
import type { Caller } from '../../../users/caller.ts'
import type { DeliveryDetail as DetailRecord } from '../../../webhooks/deliveries.ts'
import type { Delivery as DeliveryRecord } from '../../../webhooks/deliveries-store.ts'
import { deliveryList } from '../../../webhooks/delivery-list.ts'
import type { Webhooks } from '../../../webhooks/webhooks.ts'
import { type AnyEntry, entry, jsonAnswer } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { filterParameter, pageParameters } from '../parameters.ts'

const tag = 'Integrations'

type Deps = { integrations: Integrations; webhooks: Webhooks; exports: Exports; strictPaging: boolean }

export function integrationRoutes({ integrations, webhooks, exports, strictPaging }: Deps): AnyEntry[] {
  const { deliveries } = webhooks
  return [
    entry({
      method: 'GET',
      path: '/integrations',
      tag,
      about: 'List your integrations',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      query: filterParameter(integrationList),
      reply: Type.Array(listed(Integration)),
      async run({ caller, query }) {
        const asked = readBareList(integrationList, query, caller)
        const found = await integrations.list(caller, asked)
        return found.map((integration) => pickFields(asked.fields, present(caller, integration)))
      },
    }),
    entry({
      method: 'GET',
      path: '/integrations/:id',
      tag,
      about: 'Show one of your integrations',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      reply: Integration,
      errors: ['INTEGRATION_NOT_FOUND'],
      run: async ({ caller, params }) =>
        present(caller, await integrations.find(caller, integrationId(params))),
    }),
    entry({
      method: 'DELETE',
      path: '/integrations/:id',
      tag,
      about: 'Remove an integration with its deliveries; its events stay in the feed',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      reply: Type.Object({ id: Integration.properties.id }),
      errors: ['INTEGRATION_NOT_FOUND'],
      async run({ caller, params }) {
        const id = integrationId(params)
        await deliveries.removeIntegration(caller, id)
        return { id }
      },
    }),
    entry({
      method: 'PATCH',
      path: '/integrations',
      tag,
      about: 'Change the integration named by id or, without id, create one',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      body: IntegrationPatch,
      reply: Integration,
      errors: ['INTEGRATION_NOT_FOUND', 'INTEGRATION_EXISTS', 'INTEGRATION_LIMIT'],
      async run({ caller, body, jsonOf }) {
        const id = givenId(body.id)
        const input = fromWire(body, jsonOf)
        if (id !== undefined) return present(caller, await integrations.update(caller, id, input))
        const { code } = input
        if (code === undefined) throw refuseFields('Integration', { gateway: [problem.missing] })
        const whole = { webhook: false, constraint: {}, metadata: {}, ...input, code }
        return present(caller, await integrations.create(caller, whole))
      },
    }),
    entry({
      method: 'POST',
      path: '/integrations/:id/rotate-secret',
      tag,
      about: 'Make a new secret; the old one goes on signing beside it for 24 hours',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      reply: Integration,
      errors: ['INTEGRATION_NOT_FOUND'],
      run: async ({ caller, params }) =>
        present(caller, await integrations.rotateSecret(caller, integrationId(params))),
    }),
    entry({
      method: 'GET',
      path: '/integrations/:id/deliveries',
      tag,
      about: 'List the deliveries of the webhook, newest first',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      query: { ...pageParameters(deliveryList), format: formatParameter },
      reply: Type.Object({ data: Type.Array(listed(Delivery)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER', 'INTEGRATION_NOT_FOUND', 'EXPORT_RUNNING'],
      async run({ caller, params, query: { format, ...query }, headers }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const asked = readPagedList(deliveryList, query, { timeZone, strictPaging })
        const shown = (row: DeliveryRecord) => pickFields(asked.fields, presentDelivery(row))
        if (file) {
          return await exports.answer(caller, {
            format: file,
            name: 'deliveries',
            columns: Object.keys(Delivery.properties).filter((name) => asked.fields?.has(name) ?? true),
            pages: await deliveries.listAll(caller, integrationId(params), asked),
            write: (row) => JSON.stringify(shown(row)),
            cells: shown,
          })
        }
        const { rows, ...page } = await deliveries.list(caller, integrationId(params), asked)
        return { data: rows.map(shown), meta: pageMeta(asked, page) }
      },
    }),
    entry({
      method: 'GET',
      path: '/integrations/:id/deliveries/:deliveryId',
      tag,
      about: 'Show a delivery with its attempts and its body',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      reply: DeliveryDetail,
      errors: ['INTEGRATION_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
      run: async ({ caller, params }) =>
        presentDetail(await deliveries.find(caller, integrationId(params), deliveryId(params))),
    }),
    entry({
      method: 'POST',
      path: '/integrations/:id/deliveries/:deliveryId/redeliver',
      tag,
      about: 'Send a delivery again, now',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      weight: expensive,
      reply: DeliveryDetail,
      errors: ['INTEGRATION_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'WEBHOOK_OFF'],
      run: async ({ caller, params }) =>
        presentDetail(await deliveries.redeliver(caller, integrationId(params), deliveryId(params))),
    }),
    entry({
      method: 'POST',
      path: '/integrations/:id/recover',
      tag,
      about: 'Send again all deliveries that were given up, of events since an instant',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      weight: expensive,
      body: Recovery,
      reply: Type.Object({ recovered: Type.Integer({ description: 'How many', examples: [12] }) }),
      errors: ['INTEGRATION_NOT_FOUND', 'WEBHOOK_OFF'],
      async run({ caller, params, body: { since } }) {
        const at = readMoment('since', since)
        return { recovered: await deliveries.recover(caller, integrationId(params), at) }
      },
    }),
    entry({
      method: 'POST',
      path: '/integrations/:id/test',
      tag,
      about: 'Send the webhook a test event, which is about no real call',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      weight: expensive,
      reply: DeliveryDetail,
      errors: ['INTEGRATION_NOT_FOUND', 'WEBHOOK_OFF'],
      run: async ({ caller, params }) => presentDetail(await deliveries.test(caller, integrationId(params))),
    }),
  ]
}

/** A field of a body. */
export function readMoment(field: string, text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw refuseFields('Integration', { [field]: [noInstant] })
  return at
}

const noInstant = {
  code: 'format',
  message: {
    en: 'must be an instant, such as 2026-11-15T12:30:00Z',
    pt: 'deve ser um instante, como 2026-11-15T12:30:00Z',
  },
}

type Params = Record<string, string>

const wholeNumber = /^\d{1,15}$/

export function integrationId({ id = '' }: Params): number {
  if (!wholeNumber.test(id)) throw refuse('INTEGRATION_NOT_FOUND')
  return Number(id)
}

function deliveryId({ deliveryId: id = '' }: Params): number {
  if (!wholeNumber.test(id)) throw refuse('DELIVERY_NOT_FOUND')
  return Number(id)
}

type PatchBody = Omit<Type.Static<typeof IntegrationPatch>, 'id'>

/** Documents keep the digits of their numbers: constraints are compared with metadata of calls (D82). */
function fromWire(body: PatchBody, jsonOf: (field: string) => string | undefined) {
  const document = <T>(field: string, given: T) => parseExactJson(jsonOf(field) ?? JSON.stringify(given)) as T
  return {
    ...defined({ code: body.gateway, webhook: body.webhook }),
    ...(body.webhookConstraint !== undefined && {
      constraint: document('webhookConstraint', body.webhookConstraint),
    }),
    ...(body.metadata !== undefined && {
      metadata: document('metadata', body.metadata as Record<string, unknown>),
    }),
  }
}

/** D647: the operator who looks in sees no secret. */
function present(caller: Caller, { code, constraint, ...integration }: IntegrationRecord) {
  return {
    id: integration.id,
    gateway: code,
    webhook: integration.webhook,
    webhookConstraint: constraint,
    metadata: integration.metadata,
    secret: caller.lookIn ? '***' : integration.secret,
    previousSecretUntil: integration.previousSecretUntil?.toISOString() ?? null,
    lastError: integration.lastError,
    lastErrorAt: integration.lastErrorAt?.toISOString() ?? null,
    createdAt: integration.createdAt.toISOString(),
    updatedAt: integration.updatedAt.toISOString(),
  }
}

export function presentDelivery({ state, lastTry, nextAt, createdAt, settledAt, ...rest }: DeliveryRecord) {
  return {
    ...rest,
    status: state,
    lastStatus: lastTry?.status ?? null,
    lastError: lastTry?.error ?? null,
    lastAttemptAt: lastTry?.at ?? null,
    nextAttemptAt: nextAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
  }
}

function presentDetail({ tries, body, ...delivery }: DetailRecord) {
  return jsonAnswer(appendMember(JSON.stringify({ ...presentDelivery(delivery), tries }), 'payload', body))
}
