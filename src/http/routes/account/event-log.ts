/** The log of events (D605), and sending them to one integration (D606). */
import { problem, refuseFields, refuseParameter } from '../../../contract/errors.ts'
import { expensive } from '../../../contract/limits.ts'
import type { Static } from '../../../contract/schema/type.ts'
import { EventLogPage, EventReplay, ReplayResult } from '../../../contract/webhooks/event-log.ts'
import { type WebhookType, webhookTypes } from '../../../contract/webhooks/events.ts'
import { readWhole } from '../../../filter/page.ts'
import { isUuid } from '../../../kit/ids.ts'
import { appendMember } from '../../../kit/text/json-text.ts'
import type { EventLog, LogEntry } from '../../../webhooks/event-log/event-log.ts'
import type { Replay } from '../../../webhooks/event-log/replay.ts'
import { type AnyEntry, entry, jsonAnswer, type Query } from '../../entry.ts'
import { readCursor } from './events.ts'
import { integrationId, readMoment } from './integrations.ts'

const defaultLimit = 50
const maxLimit = 200

type Deps = { eventLog: EventLog; replay: Replay }

export function eventLogRoutes({ eventLog, replay }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/events/log',
      tag: 'Events',
      about: 'List events, newest first, with what became of them at your integrations',
      may: 'events.read',
      scope: ['calls:read', 'billing'],
      limit: 'other',
      query: {
        before: 'The value of `next` of the page before; the newest events by default',
        type: { about: 'Events of this type only', example: 'channel-hangup' },
        callId: 'Events of this call only',
        limit: `How many at most: 1 to ${maxLimit}, ${defaultLimit} by default`,
      },
      reply: EventLogPage,
      async run({ caller, query: { before, type, callId, limit } }) {
        const search = {
          before: before === undefined ? undefined : readCursor('before', before),
          type: readType(type),
          callId: readCallId(callId),
        }
        const asked = limit === undefined ? defaultLimit : readWhole(limit, 1, maxLimit, 'limit')
        const { events, next } = await eventLog.read(caller, search, asked)
        const rest = next === undefined ? '' : `,"next":"${next}"`
        return jsonAnswer(`{"data":[${events.map(write).join(',')}]${rest}}`)
      },
    }),
    entry({
      method: 'POST',
      path: '/integrations/:id/replay',
      tag: 'Integrations',
      about: 'Send events of the last 30 days to the webhook, whether it has received them or not',
      notes:
        'Each arrives with the `webhook-id` that it has always had. Those of a time are read in steps: while `more` is true, send the same with the `cursor` of the answer as `after`.',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      weight: expensive,
      body: EventReplay,
      reply: ReplayResult,
      errors: ['INTEGRATION_NOT_FOUND', 'WEBHOOK_OFF'],
      async run({ caller, params, body }) {
        const id = integrationId(params)
        const asked = readReplay(body)
        if ('positions' in asked) {
          return { replayed: await replay.chosen(caller, id, asked.positions), more: false }
        }
        const { count, cursor, more } = await replay.range(caller, id, asked)
        return { replayed: count, cursor: String(cursor), more }
      },
    }),
  ]
}

function readType(type: Query[string]): WebhookType | undefined {
  if (type === undefined) return undefined
  const known = webhookTypes.find((name) => name === type)
  if (!known) throw refuseParameter('type', unknownType)
  return known
}

const unknownType = {
  en: `must be one of ${webhookTypes.join(', ')}`,
  pt: `deve ser um de ${webhookTypes.join(', ')}`,
}

function readCallId(callId: Query[string]): string | undefined {
  if (callId === undefined) return undefined
  if (typeof callId !== 'string' || !isUuid(callId)) throw refuseParameter('callId', noUuid)
  return callId
}

const noUuid = { en: 'must be the id of a call', pt: 'deve ser o id de uma chamada' }

function readReplay({ cursors, since, until, after }: Static<typeof EventReplay>) {
  if (cursors !== undefined) {
    const given = Object.entries({ since, until, after }).filter(([, value]) => value !== undefined)
    if (given.length > 0) {
      throw refuseFields('Integration', Object.fromEntries(given.map(([name]) => [name, [inPlace]])))
    }
    return { positions: cursors.map(Number) }
  }
  if (since === undefined) throw refuseFields('Integration', { since: [problem.missing] })
  return {
    since: readMoment('since', since),
    until: until === undefined ? undefined : readMoment('until', until),
    after: after === undefined ? undefined : Number(after),
  }
}

const inPlace = {
  code: 'exclusion',
  message: { en: 'cannot be sent together with cursors', pt: 'não pode ser enviado junto com cursors' },
}

function write({ position, kind, body, createdAt, ...event }: LogEntry): string {
  const { subject, subjectId, deliveries } = event
  const known = JSON.stringify({
    cursor: String(position),
    event: kind,
    subject,
    subjectId,
    createdAt: createdAt.toISOString(),
    deliveries,
  })
  return appendMember(known, 'payload', body)
}
