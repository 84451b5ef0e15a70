/** Figures about calls (D302), and what else the console reads of them: by hour or day, in groups. */

import type { CallListing, StatsBy, StatsGroup } from '../../../calls/list/listing.ts'
import { CallStats } from '../../../contract/calls/call-record.ts'
import { refuseParameter } from '../../../contract/errors.ts'
import { Type } from '../../../contract/schema/type.ts'
import { toReais } from '../../../kit/text/money.ts'
import { type AnyEntry, entry, type Query } from '../../entry.ts'
import { readMoment } from '../parameters.ts'

const daySeconds = 86_400
/** The hour by which the day is longer on which clocks are set back. */
const longDay = 1 / 24
/** D302: the longest span, by the length of its parts. */
const maxDays: Record<StatsBy, number> = { hour: 31, day: 366, 'hour-of-week': 92 }
const partNames = Object.keys(maxDays) as StatsBy[]
const groupNames: readonly StatsGroup[] = ['extension', 'user', 'cause', 'direction', 'outcome']

export function callStatisticsRoutes({ callListing }: { callListing: CallListing }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/calls/stats',
      tag: 'Calls',
      about: 'How many calls, answered ones, seconds and reais, by hour, day or hour of the week',
      notes:
        'Of calls that began from `from` until before `to` and are over. Hours and days are local to the account; those without calls are absent. By `outcome`, the group null has the calls without one.',
      may: 'calls.list',
      scope: 'calls:read',
      limit: 'other',
      query: {
        from: {
          about: 'A date, or a time in ISO 8601; without offset it is local to the account',
          example: '2026-11-01',
          required: true,
        },
        to: {
          about:
            'Another, later: calls from then on are not counted. A date is its midnight, so name the day after the last one',
          example: '2026-12-01',
          required: true,
        },
        by: {
          about: 'hour (31 days at most), day (366), which is the default, or hour-of-week (92)',
          example: 'day',
        },
        group: { about: `Apart by one of ${groupNames.join(', ')}`, example: 'direction' },
      },
      reply: Type.Object({
        timeZone: Type.String({ examples: ['America/Sao_Paulo'] }),
        data: Type.Array(CallStats),
      }),
      errors: ['SEARCH_TOO_EXPENSIVE', 'SEARCHES_BUSY'],
      async run({ caller, query }) {
        const { by, group, from, to } = readStatsQuery(query, caller.timeZone)
        const rows = await callListing.stats(caller, { by, group, from, to })
        const data = rows.map(({ group: key, cost, ...row }) => ({
          ...row,
          ...(group && { group: key }),
          cost: toReais(cost),
        }))
        return { timeZone: caller.timeZone, data }
      },
    }),
  ]
}

const texts = {
  by: { en: `must be one of ${partNames.join(', ')}`, pt: `deve ser um de ${partNames.join(', ')}` },
  group: {
    en: `must be one of ${groupNames.join(', ')}`,
    pt: `deve ser um destes valores: ${groupNames.join(', ')}`,
  },
}

function readStatsQuery({ from, to, by = 'day', group }: Query, timeZone: string) {
  const part = partNames.find((name) => name === by)
  if (!part) throw refuseParameter('by', texts.by)
  const known = groupNames.find((name) => name === group)
  if (group !== undefined && !known) throw refuseParameter('group', texts.group)
  const [begin, end] = [readMoment('from', from, timeZone), readMoment('to', to, timeZone)]
  const days = (end.getTime() - begin.getTime()) / 1000 / daySeconds
  if (days <= 0 || days > maxDays[part] + longDay) {
    throw refuseParameter('to', {
      en: `must be later than from, by ${maxDays[part]} days at most`,
      pt: `deve ser posterior a from, no máximo ${maxDays[part]} dias`,
    })
  }
  return { from: begin, to: end, by: part, group: known } as const
}
