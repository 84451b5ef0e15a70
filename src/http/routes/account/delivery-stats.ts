/** How the deliveries of a webhook went over time (D621). */
import { DeliveryStats as Stats } from '../../../contract/webhooks/delivery-stats.ts'
import { readWhole } from '../../../filter/page.ts'
import type { DeliveryStats } from '../../../webhooks/delivery-stats.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { integrationId } from './integrations.ts'

const maxDays = 30

export function deliveryStatsRoutes({ deliveryStats }: { deliveryStats: DeliveryStats }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/integrations/:id/deliveries/stats',
      tag: 'Integrations',
      about: 'Count the deliveries of the webhook over time, by state, with how long answers took',
      may: 'integrations.own',
      scope: 'admin',
      limit: 'other',
      query: {
        days: {
          about: `The last so many days: 1, by the hour, or 2 to ${maxDays}, by 24 hours; 1 by default`,
          example: 7,
        },
      },
      reply: Stats,
      errors: ['INTEGRATION_NOT_FOUND', 'SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY'],
      async run({ caller, params, query: { days } }) {
        const asked = days === undefined ? 1 : readWhole(days, 1, maxDays, 'days')
        const { from, to, seconds, periods } = await deliveryStats.read(caller, integrationId(params), asked)
        return {
          from: from.toISOString(),
          to: to.toISOString(),
          seconds,
          data: periods.map(({ since, ...rest }) => ({ since: since.toISOString(), ...rest })),
        }
      },
    }),
  ]
}
