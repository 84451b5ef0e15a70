/** Reads the figures of a period: by hour or day, in groups, by the hour of the week. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Group } from './figures.ts'
import { type Period, previousOf, type Span } from './period.ts'

type By = 'hour' | 'day' | 'hour-of-week'

/** With the period that its figures are of: those of the one before are shown until others are there. */
function useStats(name: string, period: Period, span: Span, by: By, group?: Group) {
  return useQuery({
    queryKey: ['stats', name, span.key, by, group],
    queryFn: async () => {
      const { from, to } = span.bounds(new Date())
      const query = { from: from.toISOString(), to: to.toISOString(), by, ...(group && { group }) }
      const { data } = await request('GET', '/calls/stats', { query })
      return { period, rows: data }
    },
    placeholderData: keepPreviousData,
  })
}

export const usePeriod = (period: Period, group?: Group) =>
  useStats('period', period, period, period.days === 1 ? 'hour' : 'day', group)

/** D607: the time of the same length before it. */
export const usePrevious = (period: Period) => useStats('previous', period, previousOf(period), 'day')

export const useHoursOfWeek = (period: Period) => useStats('hours', period, period, 'hour-of-week')
