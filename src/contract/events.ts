/** What is told about calls, as the outside sees it (spec §6). */
import { type Static, Type } from 'typebox'
import { Instant, nullable } from './common.ts'

/** Spec §6 and, only for those who list them, D89. */
const callEventKinds = [
  'channel-answer',
  'channel-hangup',
  'channel-create',
  'channel-ringing',
  'recording-ready',
] as const
export type CallEventKind = (typeof callEventKinds)[number]

/** D89: written only where an integration of the account lists them. */
export const optionalKinds: readonly CallEventKind[] = [
  'channel-create',
  'channel-ringing',
  'recording-ready',
]

/** What a webhook may list: events of calls and, for ADMINs, of the account (D125). */
export const webhookTypes = [...callEventKinds, 'account-low-balance'] as const
export type WebhookType = (typeof webhookTypes)[number]

/** `test` is sent when the owner of a webhook asks for it, and tells of no call. */
export type EventKind = WebhookType | 'test'

/**
 *   pending ──▶ delivered │ dead ──▶ pending (again, by its owner's wish)
 *   skipped ─────────────────────────▲
 */
export const deliveryStates = ['pending', 'delivered', 'dead', 'skipped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const maybeStatus = Type.Unsafe<number | null>({ type: ['integer', 'null'], examples: [200] })

export const Try = Type.Object({
  at: Instant,
  ms: Type.Integer({ description: 'How long it took', examples: [41] }),
  status: maybeStatus,
  error: nullable(Type.String({ description: 'Why it failed' })),
  response: Type.String({ description: 'The first 4 KiB of what the receiver answered', examples: ['ok'] }),
})
export type Try = Static<typeof Try>

export const Delivery = Type.Object(
  {
    id: Type.Integer(),
    event: Type.String({ examples: ['channel-hangup'] }),
    callId: Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
    sequence: Type.Integer({ description: 'Which event of its call' }),
    status: Type.Enum([...deliveryStates]),
    reason: nullable(Type.String({ description: 'Why it was not sent, or given up' })),
    attempts: Type.Integer(),
    lastStatus: maybeStatus,
    lastError: nullable(Type.String()),
    lastAttemptAt: nullable(Instant),
    nextAttemptAt: nullable(Instant),
    createdAt: Instant,
    settledAt: nullable(Instant),
  },
  { $id: 'Delivery', description: 'One event on its way to the webhook (D90)' },
)

export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    tries: Type.Array(Try, { description: 'The last 20' }),
    payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The body that is sent' }),
  },
  { $id: 'DeliveryDetail' },
)

export const EventPage = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { cursor: Type.String({ examples: ['4711'] }), eventType: Type.String(), id: Type.String() },
        { additionalProperties: true, description: 'The body of the webhook, and where it stands' },
      ),
    ),
    cursor: Type.String({ description: 'What to ask for next, in after', examples: ['4711'] }),
    more: Type.Boolean({ description: 'Whether there may be more to fetch at once' }),
  },
  { $id: 'EventPage' },
)
