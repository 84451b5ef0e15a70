/** Events and their delivery to webhooks, as the outside sees them (spec §6). */

import { Instant, nullable } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'

type EventTypeRow = {
  type: string
  /** What the event is about. */
  subject: 'call' | 'result' | 'account' | 'charge'
  /** Written only if an integration lists the type in `webhookTypes`. */
  optional: boolean
  /** D83, D125: ADMINs only, or also the user who placed the call. */
  audience: 'user' | 'admins'
  about: string
}

/**
 * Every event type that a webhook may list. A new type is one row here, its payload (contract/webhook-payloads.ts,
 * webhooks/payload.ts) and one call of `writeEvents` where it happens; CONTRIBUTING.md lists the places that show it.
 */
export const eventTypes = [
  {
    type: 'channel-answer',
    subject: 'call',
    optional: false,
    audience: 'user',
    about: 'a call was answered',
  },
  {
    type: 'channel-hangup',
    subject: 'call',
    optional: false,
    audience: 'user',
    about: 'a call is over',
  },
  // D89: more types of calls.
  {
    type: 'channel-create',
    subject: 'call',
    optional: true,
    audience: 'user',
    about: 'a call was placed',
  },
  {
    type: 'channel-ringing',
    subject: 'call',
    optional: true,
    audience: 'user',
    about: "the extension's phone rings",
  },
  // D282: transfers.
  {
    type: 'channel-transfer',
    subject: 'call',
    optional: true,
    audience: 'user',
    about: 'a call was transferred, and the new party answered',
  },
  {
    type: 'recording-ready',
    subject: 'call',
    optional: true,
    audience: 'user',
    about: 'the recording of a call can be fetched',
  },
  // D259: the machine that had it is gone.
  {
    type: 'recording-lost',
    subject: 'call',
    optional: true,
    audience: 'user',
    about: 'the recording of a call is lost',
  },
  // D595: each time. Its subject is not the call: of a call each type occurs once.
  {
    type: 'call-updated',
    subject: 'result',
    optional: true,
    audience: 'user',
    about: 'the outcome, the tags or the notes of a call were changed',
  },
  // D125: low balance.
  {
    type: 'account-low-balance',
    subject: 'account',
    optional: true,
    audience: 'admins',
    about: 'the balance fell below the threshold of the account',
  },
  // D197: a rule blocked a call, or found something unusual.
  {
    type: 'account-alert',
    subject: 'account',
    optional: true,
    audience: 'admins',
    about: 'a limit of the account was reached, or something unusual happened',
  },
  // D127: payments and refunds.
  {
    type: 'charge-paid',
    subject: 'charge',
    optional: true,
    audience: 'admins',
    about: 'a charge was paid and credited',
  },
  {
    type: 'charge-refunded',
    subject: 'charge',
    optional: true,
    audience: 'admins',
    about: 'money of a charge went back to the payer',
  },
] as const satisfies readonly EventTypeRow[]

type KnownRow = (typeof eventTypes)[number]

/** What a webhook may list. */
export type WebhookType = KnownRow['type']
export type CallEventType = Extract<KnownRow, { subject: 'call' }>['type']
export type ChargeEventType = Extract<KnownRow, { subject: 'charge' }>['type']

/** `test` is sent when the owner of a webhook asks for it, and describes no real call. */
export type EventType = WebhookType | 'test'
export type EventSubject = KnownRow['subject'] | 'test'
export const eventSubjects = [
  'call',
  'result',
  'account',
  'charge',
  'test',
] as const satisfies readonly EventSubject[]
/** The subject is a call, or what came of it: its id is that of the call. */
export const callSubjects: readonly EventSubject[] = ['call', 'result']

export const webhookTypes: readonly WebhookType[] = eventTypes.map(({ type }) => type)

const optionalTypes = new Set<string>(rowsWhere(({ optional }) => optional))
/** D125: events of these types reach the webhooks and the feed of ADMINs only. */
export const adminTypes: ReadonlySet<string> = new Set(rowsWhere(({ audience }) => audience === 'admins'))

/** D89: such events are written only where an integration of the account lists the type. */
export const isOptional = (type: EventType) => optionalTypes.has(type)
export const isForAdmins = (type: EventType) => adminTypes.has(type)

function rowsWhere(matches: (row: EventTypeRow) => boolean): string[] {
  return eventTypes.filter(matches).map(({ type }) => type)
}

const listedType = Type.Enum([...webhookTypes], {
  description: eventTypes.map(({ type, about }) => `\`${type}\`: ${about}`).join('; '),
})

/**
 *   pending ──▶ delivered │ dead ──▶ pending (redelivered at its owner's request)
 *   skipped ─────────────────────────▲
 */
export const deliveryStates = ['pending', 'delivered', 'dead', 'skipped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const maybeStatus = Type.Unsafe<number | null>({ type: ['integer', 'null'], examples: [200] })

export const Try = Type.Object({
  at: Instant,
  ms: Type.Integer({ description: 'How long it took', examples: [41] }),
  status: maybeStatus,
  error: nullable(Type.String({ description: 'Why it failed', examples: [null] })),
  response: Type.String({ description: 'The first 4 KiB of what the receiver answered', examples: ['ok'] }),
})
export type Try = Static<typeof Try>

export const Delivery = Type.Object(
  {
    id: Type.Integer(),
    event: Type.Enum([...webhookTypes, 'test'], { examples: ['channel-hangup'] }),
    callId: Type.String({
      format: 'uuid',
      description: 'The call; of other events, an id whose deliveries are kept in order',
      examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
    }),
    subject: Type.Enum([...eventSubjects], { description: 'What the event is about' }),
    subjectId: Type.String({
      description: 'The id of the call, the account or the charge',
      examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
    }),
    sequence: Type.Integer({ description: 'The number of the event among those with the same callId' }),
    status: Type.Enum([...deliveryStates], { examples: ['delivered'] }),
    reason: nullable(Type.String({ description: 'Why it was skipped or given up', examples: [null] })),
    attempts: Type.Integer(),
    lastStatus: maybeStatus,
    lastError: nullable(Type.String({ examples: [null] })),
    lastAttemptAt: nullable(Instant),
    nextAttemptAt: nullable(Type.String({ format: 'date-time', examples: [null] })),
    createdAt: Instant,
    settledAt: nullable(Instant),
  },
  { $id: 'Delivery', description: 'The delivery of one event to the webhook' },
)

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    tries: Type.Array(Try, { description: 'The last 20' }),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The body that is sent',
      examples: [{ version: '1.8', eventType: 'channel-hangup', id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }],
    }),
  },
  { $id: 'DeliveryDetail' },
)

export const EventPage = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          cursor: Type.String({ examples: ['4711'] }),
          eventType: listedType,
          id: Type.String({ examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
        },
        { additionalProperties: true, description: 'The body of the webhook, and its cursor' },
      ),
    ),
    cursor: Type.String({ description: 'The value of after for the next request', examples: ['4711'] }),
    more: Type.Boolean({ description: 'Whether there may be more events already' }),
  },
  { $id: 'EventPage' },
)

/** D304: a row of `GET /events/types`. */
export const EventTypeInfo = Type.Object(
  {
    type: Type.String({ description: 'As `webhookTypes` lists it', examples: ['channel-hangup'] }),
    subject: Type.Enum(['call', 'result', 'account', 'charge']),
    optional: Type.Boolean({ description: 'Written only if an integration lists it' }),
    audience: Type.Enum(['user', 'admins'], {
      description: 'ADMINs only, or also the user whose call it is',
    }),
    about: Type.String({ examples: ['a call is over'] }),
    example: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The body of the webhook',
      examples: [{ version: '1.8', eventType: 'channel-hangup', id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }],
    }),
  },
  { $id: 'EventTypeInfo' },
)
