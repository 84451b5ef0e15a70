/** The feed of events (D90: additions). */

import { refuseParameter } from '../../../contract/errors.ts'
import { Type } from '../../../contract/schema/type.ts'
import { EventPage, EventTypeInfo, eventTypes } from '../../../contract/webhooks/events.ts'
import { readWhole } from '../../../filter/page.ts'
import type { FeedStart } from '../../../webhooks/feed.ts'
import type { Webhooks } from '../../../webhooks/webhooks.ts'
import { type AnyEntry, entry, jsonAnswer, type Query } from '../../entry.ts'
import { readInstant } from '../parameters.ts'

const defaultLimit = 100
const maxLimit = 1000

export function eventRoutes({ webhooks }: { webhooks: Webhooks }): AnyEntry[] {
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
      },
      reply: EventPage,
      async run({ caller, query }) {
        const limit = query.limit === undefined ? defaultLimit : readWhole(query.limit, 1, maxLimit, 'limit')
        const { events, cursor, more } = await webhooks.events(caller, readStart(query), limit)
        const data = events.map((event) => `{"cursor":"${event.cursor}",${event.body.slice(1)}`)
        return jsonAnswer(`{"data":[${data.join(',')}],"cursor":"${cursor}","more":${more}}`)
      },
    }),
    // D304: for forms that offer a choice of types.
    entry({
      method: 'GET',
      path: '/events/types',
      tag: 'Events',
      about: 'List the types of events that a webhook may receive',
      may: 'events.read',
      scope: ['calls:read', 'billing', 'admin'],
      limit: 'other',
      reply: Type.Array(EventTypeInfo),
      run: async () => eventTypes.map((row) => ({ ...row })),
    }),
  ]
}

function readStart({ after, since }: Query): FeedStart {
  if (since === undefined) return { after: readCursor(after) }
  if (after !== undefined) throw refuseParameter('since', inPlaceOfAfter)
  return { since: readInstant('since', since) }
}

const inPlaceOfAfter = { en: 'takes the place of after', pt: 'substitui o parâmetro after' }

function readCursor(after: Query[string] = '0'): number {
  if (typeof after === 'string' && /^\d{1,15}$/.test(after)) return Number(after)
  throw refuseParameter('after', {
    en: 'must be a cursor that we gave',
    pt: 'deve ser um cursor que nós fornecemos',
  })
}
