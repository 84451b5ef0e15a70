/** D90: the events of calls, to be fetched. */

import { refuseParameter } from '../../contract/errors.ts'
import { EventPage } from '../../contract/events.ts'
import { readWhole } from '../../filter/page.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import { type AnyEntry, entry, type Query } from '../entry.ts'

const defaultLimit = 100
const largestLimit = 1000

export function eventRoutes({ webhooks }: { webhooks: Webhooks }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/events',
      tag: 'Events',
      about: 'Fetch what happened to calls, in order and without gaps',
      may: 'events.read',
      limit: 'other',
      query: {
        after:
          'The cursor of the last answer, or of the last event you have; from the oldest kept unless said',
        limit: `How many at most: 1 to ${largestLimit}, ${defaultLimit} unless said`,
      },
      reply: EventPage,
      async run({ caller, query }) {
        const limit =
          query.limit === undefined ? defaultLimit : readWhole(query.limit, 1, largestLimit, 'limit')
        const { events, cursor, more } = await webhooks.events(caller, readCursor(query), limit)
        const data = events.map((event) => ({ cursor: String(event.cursor), ...JSON.parse(event.body) }))
        return { data, cursor: String(cursor), more }
      },
    }),
  ]
}

function readCursor({ after = '0' }: Query): number {
  if (typeof after === 'string' && /^\d{1,15}$/.test(after)) return Number(after)
  throw refuseParameter('after', 'must be a cursor that we gave')
}
