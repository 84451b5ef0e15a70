/** Reads the figures of a period: by hour or day, in groups, by the hour of the week. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Group } from './figures.ts'
import { type Period, previousOf, type Span } from './period.ts'

type By = 'hour' | 'day' | 'hour-of-week'

function useStats(name: string, span: Span, by: By, group?: Group) {
  return useQuery({
    queryKey: ['stats', name, span.key, by, group],
    queryFn: () => {
      const { from, to } = span.bounds(new Date())
      const query = { from: from.toISOString(), to: to.toISOString(), by, ...(group && { group }) }
      return request('GET', '/calls/stats', { query })
    },
    placeholderData: keepPreviousData,
  })
}

export const usePeriod = (period: Period, group?: Group) =>
  useStats('period', period, period.days === 1 ? 'hour' : 'day', group)

/** D607: the time of the same length before it. */
export const usePrevious = (period: Period) => useStats('previous', previousOf(period), 'day')

export const useHoursOfWeek = (period: Period) => useStats('hours', period, 'hour-of-week')
