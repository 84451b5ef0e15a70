/** The deliveries of an integration, newest first, as a list with filters (D90: additions). */
import { deliveryStates, eventSubjects } from '../contract/webhooks/events.ts'
import { defineList } from '../filter/list.ts'

export const deliveryList = defineList({
  fields: {
    id: { kind: 'integer', column: 'deliveries.event_id' },
    event: { kind: 'text', column: 'events.kind' },
    callId: { kind: 'uuid', column: 'deliveries.call_id' },
    subject: { kind: 'choice', column: 'events.subject_kind', choices: eventSubjects },
    status: { kind: 'choice', column: 'deliveries.state', choices: deliveryStates },
    attempts: { kind: 'integer', column: 'deliveries.attempts' },
    createdAt: { kind: 'instant', column: 'events.created_at' },
  },
  shows: [
    'id',
    'event',
    'callId',
    'subject',
    'subjectId',
    'sequence',
    'status',
    'reason',
    'attempts',
    'lastStatus',
    'lastError',
    'lastAttemptAt',
    'nextAttemptAt',
    'createdAt',
    'settledAt',
  ],
  order: 'id DESC',
  id: 'deliveries.event_id',
  example: { where: { status: 'dead', event: 'channel-hangup' }, limit: 20 },
})
