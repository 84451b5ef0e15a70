/** The timeline of a call (D317): what happened, what it cost and why, and what was sent to webhooks. */
import type { CallDetailRow, CallListing } from '../../../calls/list/listing.ts'
import { timelineOf } from '../../../calls/timeline.ts'
import { type CallPrice, CallTimeline } from '../../../contract/calls/call-timeline.ts'
import { minutePriceToReais, toReais } from '../../../kit/text/money.ts'
import { may } from '../../../users/permissions.ts'
import { hasScope } from '../../../users/scopes.ts'
import type { Webhooks } from '../../../webhooks/webhooks.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { presentDelivery } from '../account/integrations.ts'

type Deps = { callListing: CallListing; webhooks: Webhooks }

export function callTimelineRoutes({ callListing, webhooks }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/calls/:id/events',
      tag: 'Calls',
      about: 'What happened in a call, how its price came about, and the deliveries to your webhooks',
      may: 'calls.list',
      scope: 'calls:read',
      limit: 'other',
      params: { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' },
      reply: CallTimeline,
      errors: ['CALL_NOT_FOUND'],
      async run({ caller, params: { id = '' } }) {
        const call = await callListing.find(caller, id)
        const seesDeliveries = may(caller, 'integrations.own') && hasScope(caller, 'admin')
        const deliveries = seesDeliveries ? await webhooks.deliveries.listOfCall(caller, call.id) : undefined
        return {
          events: timelineOf(call),
          price: priceOf(call),
          ...(deliveries && {
            deliveries: deliveries.map(({ integrationId, gateway, tries, ...delivery }) => ({
              integrationId,
              gateway,
              delivery: presentDelivery(delivery),
              tries,
            })),
          }),
        }
      },
    }),
  ]
}

function priceOf({ pricing, minute_price, call_price }: CallDetailRow): CallPrice | null {
  if (!pricing || minute_price === null || call_price === null) return null
  const { name, prefix, seconds, billedSeconds, blocks, forgiven = 0 } = pricing
  return {
    rate: name,
    prefix,
    minutePrice: minutePriceToReais(minute_price),
    seconds,
    billedSeconds,
    firstBlock: blocks.first,
    step: blocks.step,
    grace: blocks.grace,
    forgiven: toReais(forgiven),
    price: toReais(call_price),
  }
}
