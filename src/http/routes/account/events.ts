/** The feed of events (D90: additions). */

import { refuseParameter } from '../../../contract/errors.ts'
import { Type } from '../../../contract/schema/type.ts'
import { EventPage, EventTypeInfo, eventTypes } from '../../../contract/webhooks/events.ts'
import { readWhole } from '../../../filter/page.ts'
import type { FedEvent, FeedStart } from '../../../webhooks/feed.ts'
import type { Webhooks } from '../../../webhooks/webhooks.ts'
import { type AnyEntry, entry, jsonAnswer, type Query } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { makeUpEvent } from '../../reference/examples/made-up-event.ts'
import { readInstant } from '../parameters.ts'

const defaultLimit = 100
const maxLimit = 1000

const exampleTime = new Date('2026-11-15T12:31:00.000Z')

type Deps = { webhooks: Webhooks; exports: Exports }

export function eventRoutes({ webhooks, exports }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/events',
      tag: 'Events',
      about: 'Fetch events in order and without gaps',
      may: 'events.read',
      scope: ['calls:read', 'billing'],
      limit: 'other',
      query: {
        after:
          'The cursor of the last answer, or of the last event you have; the default is the oldest event kept',
        since: {
          about:
            'In place of `after`: begin with the first event written since this time. If there is none, the cursor of the answer is the end of the feed.',
          example: '2026-11-15T12:30:00.000Z',
        },
        limit: `How many at most: 1 to ${maxLimit}, ${defaultLimit} by default`,
        format: formatParameter,
      },
      reply: EventPage,
      errors: ['EXPORT_RUNNING'],
      async run({ caller, query, headers }) {
        const file = fileFormat(query, headers)
        if (file) {
          return await exports.answer(caller, {
            format: file,
            name: 'events',
            columns: fileColumns,
            pages: webhooks.allEvents(caller, readStart(query)),
            write: writeEvent,
            cells: cellsOf,
          })
        }
        const limit = query.limit === undefined ? defaultLimit : readWhole(query.limit, 1, maxLimit, 'limit')
        const { events, cursor, more } = await webhooks.events(caller, readStart(query), limit)
        const data = events.map(writeEvent)
        return jsonAnswer(`{"data":[${data.join(',')}],"cursor":"${cursor}","more":${more}}`)
      },
    }),
    // D304: for forms that offer a choice of types.
    entry({
      method: 'GET',
      path: '/events/types',
      tag: 'Events',
      about: 'List the types of events that a webhook may receive, each with an example of its body',
      may: 'events.read',
      scope: ['calls:read', 'billing', 'admin'],
      limit: 'other',
      reply: Type.Array(EventTypeInfo),
      run: async () => eventTypes.map(describeType),
    }),
  ]
}

/** D605: with an example of its body. */
const describeType = (row: (typeof eventTypes)[number]) => ({
  ...row,
  example: makeUpEvent(row.type, exampleTime, undefined),
})

const writeEvent = ({ cursor, body }: FedEvent) => `{"cursor":"${cursor}",${body.slice(1)}`

/** Of a file: what events of every type have; the rest is in `payload`. */
const fileColumns = ['cursor', 'eventType', 'id', 'sequence', 'payload']

function cellsOf({ cursor, body }: FedEvent) {
  const { eventType, id, sequence } = JSON.parse(body)
  return { cursor, eventType, id, sequence, payload: body }
}

function readStart({ after, since }: Query): FeedStart {
  if (since === undefined) return { after: readCursor('after', after ?? '0') }
  if (after !== undefined) throw refuseParameter('since', inPlaceOfAfter)
  return { since: readInstant('since', since) }
}

const inPlaceOfAfter = { en: 'takes the place of after', pt: 'substitui o parâmetro after' }

export function readCursor(name: string, cursor: Query[string]): number {
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw refuseParameter(name, {
    en: 'must be a cursor that we gave',
    pt: 'deve ser um cursor que nós fornecemos',
  })
}
