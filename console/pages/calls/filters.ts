/** The filters of the history as the query filter of the API. */
import { startOfDay } from '../../parts/days.ts'

export type CallFilters = {
  period: string
  number: string
  person: string
  status: string
  type: string
}

export const filterNames = ['period', 'number', 'person', 'status', 'type'] as const

const days: Record<string, number> = { today: 0, week: 6, month: 29 }

/** Undefined if every call is wanted. */
export function whereOf(
  filters: CallFilters,
  now: Date,
  timeZone: string,
): Record<string, unknown> | undefined {
  const conditions: Record<string, unknown>[] = []
  const daysAgo = days[filters.period]
  if (daysAgo !== undefined) {
    conditions.push({ started_at: { gte: startOfDay(now, timeZone, daysAgo).toISOString() } })
  }
  const digits = filters.number.replace(/\D/g, '')
  if (digits !== '') conditions.push({ to: { like: digits } })
  const person = filters.person.trim()
  if (/^\d{2,6}$/.test(person)) conditions.push({ from: person })
  else if (person !== '') {
    const pattern = { ilike: person }
    conditions.push({ or: [{ first_name: pattern }, { last_name: pattern }, { email: pattern }] })
  }
  if (filters.status !== '') conditions.push({ status: filters.status })
  if (filters.type !== '') conditions.push({ call_type: filters.type })
  if (conditions.length === 0) return undefined
  return conditions.length === 1 ? conditions[0] : { and: conditions }
}

export function filterText(where: Record<string, unknown> | undefined, limit?: number): string | undefined {
  if (!where && limit === undefined) return undefined
  return JSON.stringify({ ...(where && { where }), ...(limit !== undefined && { limit }) })
}
