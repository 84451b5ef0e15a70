/** The figures of a period: one row for each hour or day, and one for each group. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, must } from '../../api.ts'
import { startOfDay } from '../../parts/days.ts'

export type Group = 'extension' | 'user' | 'cause' | 'direction' | 'outcome'
export type Figures = { calls: number; answered: number; seconds: number; cost: number }

export function usePeriod(days: number, timeZone: string, group?: Group) {
  const by = days === 1 ? ('hour' as const) : ('day' as const)
  return useQuery({
    queryKey: ['stats', days, group],
    queryFn: () => {
      const now = new Date()
      const from = startOfDay(now, timeZone, days - 1).toISOString()
      const query = { from, to: now.toISOString(), by, ...(group && { group }) }
      return must(client.GET('/calls/stats', { params: { query } }))
    },
    placeholderData: keepPreviousData,
  })
}

type Row = Figures & { at: string; group?: string | null }

export function sum(rows: Figures[]): Figures {
  const total = { calls: 0, answered: 0, seconds: 0, cost: 0 }
  for (const { calls, answered, seconds, cost } of rows) {
    total.calls += calls
    total.answered += answered
    total.seconds += seconds
    total.cost += cost
  }
  return total
}

/** A row for each hour of today, or for each day of the period, those without calls too. */
export function withoutGaps(rows: Row[], days: number, timeZone: string): Row[] {
  const known = new Map(rows.map((row) => [row.at, row]))
  const dates = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const dateOf = (daysAgo: number) => dates.format(new Date(Date.now() - daysAgo * 86_400_000))
  const times =
    days === 1
      ? Array.from({ length: 24 }, (_, hour) => `${dateOf(0)}T${String(hour).padStart(2, '0')}:00:00`)
      : Array.from({ length: days }, (_, day) => `${dateOf(days - 1 - day)}T00:00:00`)
  return times.map((at) => known.get(at) ?? { at, calls: 0, answered: 0, seconds: 0, cost: 0 })
}

/** One row for each group, the largest first. */
export function byGroup(rows: Row[]): (Figures & { group: string | null })[] {
  const groups = new Map<string | null, Row[]>()
  for (const row of rows) {
    const group = row.group ?? null
    groups.set(group, [...(groups.get(group) ?? []), row])
  }
  return [...groups]
    .map(([group, ofGroup]) => ({ group, ...sum(ofGroup) }))
    .toSorted((one, other) => other.calls - one.calls)
}

const historyPeriods: Record<number, string> = { 1: 'today', 7: 'week', 30: 'month' }

/** D604: the history with the calls of a figure; undefined where it cannot find exactly these. */
export function callsHref(group: Group, key: string | null, days: number): string | undefined {
  const period = historyPeriods[days]
  if (period === undefined) return undefined
  if (group === 'direction' && key !== null) return `/calls?period=${period}&type=${key}`
  if (group === 'outcome') return `/calls?period=${period}&outcome=${key ?? '-'}`
  return undefined
}
