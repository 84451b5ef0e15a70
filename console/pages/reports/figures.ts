/** Figures of calls: added up, by group, by day, and where their calls are. */
import type { Period } from './period.ts'

export type Group = 'extension' | 'user' | 'cause' | 'direction' | 'outcome'
export type Figures = { calls: number; answered: number; seconds: number; cost: number }
export type StatsRow = Figures & { at: string; group?: string | null }

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

/** A row for each hour of the day, or for each day of the period, those without calls too. */
export function withoutGaps(rows: StatsRow[], { days, dates }: Period): StatsRow[] {
  const known = new Map(rows.map((row) => [row.at, row]))
  const times =
    days === 1
      ? Array.from({ length: 24 }, (_, hour) => `${dates[0]}T${String(hour).padStart(2, '0')}:00:00`)
      : dates.map((date) => `${date}T00:00:00`)
  return times.map((at) => known.get(at) ?? { at, calls: 0, answered: 0, seconds: 0, cost: 0 })
}

export type GroupRow = Figures & { group: string | null }

/** One row for each group, the largest first. */
export function byGroup(rows: StatsRow[]): GroupRow[] {
  const groups = Map.groupBy(rows, ({ group }) => group ?? null)
  return [...groups]
    .map(([group, ofGroup]) => ({ group, ...sum(ofGroup) }))
    .toSorted((one, other) => other.calls - one.calls)
}

/** One row for each day, the latest first. */
export function byDate(rows: StatsRow[]): GroupRow[] {
  const dates = Map.groupBy(rows, ({ at }) => at.slice(0, 10))
  return [...dates]
    .map(([date, ofDate]) => ({ group: date, ...sum(ofDate) }))
    .toSorted((one, other) => (one.group < other.group ? 1 : -1))
}

const parameters: Record<Group, string> = {
  extension: 'extension',
  user: 'user',
  cause: 'cause',
  direction: 'type',
  outcome: 'outcome',
}

/** Filters of the history, by the figure whose calls they find. */
const filters: Record<keyof Figures, string> = {
  calls: '',
  answered: '&status=completed',
  seconds: '&minSeconds=1',
  cost: '&minPrice=0.01',
}

/** D604: the history with the calls that make up a total. */
export function totalHref(total: keyof Figures, { dates }: Period): string {
  return `/calls?since=${dates[0]}&until=${dates.at(-1)}${filters[total]}`
}

/** D604: the history with the calls of a figure. */
export function callsHref(group: Group | 'date', key: string | null, { dates }: Period): string | undefined {
  const [since, until] = [dates[0] ?? '', dates.at(-1) ?? '']
  if (group === 'date') return `/calls?since=${key}&until=${key}`
  if (key === null && group !== 'outcome' && group !== 'user') return undefined
  return `/calls?since=${since}&until=${until}&${parameters[group]}=${encodeURIComponent(key ?? '-')}`
}
