/** The log of events, and sending them to an integration again: our additions to the contract (D605, D606). */
import { bodyOf, expects } from '../schema/body.ts'
import { Instant, instantAs } from '../schema/common.ts'
import { Type } from '../schema/type.ts'
import { deliveryStates, eventSubjects, webhookTypes } from './events.ts'

const cursor = Type.String({
  pattern: '^[0-9]{1,15}$',
  examples: ['4711'],
  ...expects({ en: 'must be a cursor that we gave', pt: 'deve ser um cursor que nós fornecemos' }),
})

const LoggedEvent = Type.Object(
  {
    cursor: Type.String({ description: 'As in the feed', examples: ['4711'] }),
    event: Type.Enum([...webhookTypes], { examples: ['channel-hangup'] }),
    subject: Type.Enum([...eventSubjects], { description: 'What the event is about' }),
    subjectId: Type.String({
      description: 'The id of the call, the account or the charge',
      examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
    }),
    createdAt: Instant,
    deliveries: Type.Array(
      Type.Object({
        integrationId: Type.Integer(),
        gateway: Type.String({ examples: ['my-crm'] }),
        status: Type.Enum([...deliveryStates], { examples: ['delivered'] }),
      }),
      { description: 'To your own integrations' },
    ),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The body of the webhook',
      examples: [{ version: '1.8', eventType: 'channel-hangup', id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }],
    }),
  },
  { $id: 'LoggedEvent' },
)

export const EventLogPage = Type.Object(
  {
    data: Type.Array(LoggedEvent),
    next: Type.Optional(
      Type.String({
        description:
          'The value of before for older events; absent after the oldest. A page may have fewer events than its limit, or none, although there are older ones.',
        examples: ['4612'],
      }),
    ),
  },
  { $id: 'EventLogPage' },
)

const maxChosen = 100

export const EventReplay = Type.Object(
  {
    cursors: Type.Optional(
      Type.Array(cursor, {
        minItems: 1,
        maxItems: maxChosen,
        description: 'These events, whatever types and constraint the integration has; in place of since',
      }),
    ),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'The events from this time on that the integration would have received with the settings that it has now',
        examples: ['2026-11-15T12:30:00.000Z'],
      }),
    ),
    until: Type.Optional(instantAs('2026-11-15T18:00:00.000Z')),
    after: Type.Optional({ ...cursor, description: 'With since: the cursor of the last answer, to go on' }),
  },
  {
    $id: 'EventReplay',
    examples: [{ since: '2026-11-15T12:30:00.000Z', until: '2026-11-15T18:00:00.000Z' }],
    ...bodyOf('Integration'),
  },
)

export const ReplayResult = Type.Object(
  {
    replayed: Type.Integer({
      description: 'How many are queued now; those that were queued already are not counted',
      examples: [12],
    }),
    cursor: Type.Optional(
      Type.String({ description: 'With since: the last event that was looked at', examples: ['4711'] }),
    ),
    more: Type.Boolean({
      description: 'Whether there are more: send the same again with after',
      examples: [false],
    }),
  },
  { $id: 'ReplayResult' },
)
