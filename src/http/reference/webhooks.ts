/** The webhooks that the service sends, as operations of its description. */
import { type EventType, eventTypes, isForAdmins, isOptional } from '../../contract/webhooks/events.ts'
import { webhookPayloads } from '../../contract/webhooks/webhook-payloads.ts'
import type { Parameter, PathItem, Response } from './document.ts'
import { exampleOf } from './examples/example.ts'
import type { Schemas } from './schemas.ts'

export const webhookTag = {
  name: 'Webhooks',
  description:
    'What the service sends to the `webhookUrl` of an integration: a POST with a JSON body, at least once and in ' +
    'order for each call. Answer any 2xx within 15 seconds. Anything else is tried again, nine times in three days.',
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** D87: the headers of the signature, by Standard Webhooks. */
export const webhookHeaders: Record<string, Parameter> = {
  WebhookId: header(
    'webhook-id',
    'The id of this delivery, the same at every attempt: to recognise one that was sent twice',
    'msg_0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d_3_1',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When the attempt was made, in Unix seconds; refuse what is older than five minutes',
    '1763209800',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures, separated by spaces: `v1,` and the base64 of an HMAC-SHA256 over ' +
      '`{webhook-id}.{webhook-timestamp}.{body}`, with the base64 after `whsec_` in the secret of the integration as ' +
      'the key. One that fits is enough.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
}

const references = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }))

/** What a receiver may answer. */
export const webhookResponses: Record<string, Response> = {
  Delivered: { description: 'Delivered. The answer is kept up to 4 KiB, and not read.' },
  WebhookOff: { description: 'Turns the webhook off: nothing more is sent to it.' },
  NotDelivered: { description: 'Not delivered, and tried again later. Redirects are not followed.' },
}

const described = Object.keys(webhookPayloads) as EventType[]

export function describeWebhooks(schemas: Schemas): Record<string, PathItem> {
  return Object.fromEntries(described.map((type) => [type, { post: describeWebhook(type, schemas) }]))
}

function aboutOf(wanted: EventType): string {
  return (
    eventTypes.find(({ type }) => type === wanted)?.about ??
    'POST /integrations/{id}/test was sent; the call it describes never took place'
  )
}

function describeWebhook(type: EventType, schemas: Schemas) {
  const schema = webhookPayloads[type]
  const about = aboutOf(type)
  const example = { ...(exampleOf(schema) as object), eventType: type }
  return {
    operationId: `on${type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: about.charAt(0).toUpperCase() + about.slice(1),
    description: whoGets(type),
    tags: [webhookTag.name],
    security: [],
    parameters: references as Parameter[],
    requestBody: { required: true, content: schemas.jsonWith(schema, example) },
    responses: {
      '2XX': { $ref: '#/components/responses/Delivered' },
      '410': { $ref: '#/components/responses/WebhookOff' },
      default: { $ref: '#/components/responses/NotDelivered' },
    } as unknown as Record<string, Response>,
  }
}

function whoGets(type: EventType): string {
  if (type === 'test') return 'Sent once, to this integration only.'
  const listed = `Sent to integrations whose \`webhookTypes\` list \`${type}\``
  const whose = isForAdmins(type)
    ? 'of ADMINs'
    : 'of ADMINs, and of the user who placed the call, if the constraint matches'
  const feed = isOptional(type)
    ? ' In `GET /events` only while an integration of the account lists it.'
    : ' In `GET /events` always.'
  return `${listed}: ${whose}.${feed}`
}
