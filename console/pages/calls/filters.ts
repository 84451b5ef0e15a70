/** The filters of the history as the query filter of the API. */
import { isDate, plusDays, startOfDay } from '../../parts/days.ts'

export const filterNames = [
  'period',
  'since',
  'until',
  'number',
  'person',
  'status',
  'type',
  'outcome',
  'extension',
  'user',
  'cause',
  'minSeconds',
  'maxSeconds',
  'minPrice',
  'maxPrice',
] as const

export type CallFilters = Record<(typeof filterNames)[number], string>
type Where = Record<string, unknown>

const days: Record<string, number> = { today: 0, week: 6, month: 29 }

/** Undefined if every call is wanted. */
export function whereOf(filters: CallFilters, now: Date, timeZone: string): Where | undefined {
  const conditions = [
    ...startsOf(filters, now, timeZone),
    ...numberOf(filters.number),
    ...personOf(filters.person.trim()),
    ...(filters.status === '' ? [] : [{ status: filters.status }]),
    ...(filters.type === '' ? [] : [{ call_type: filters.type }]),
    ...outcomeOf(filters.outcome),
    ...extensionOf(filters.extension),
    ...(filters.user === '' ? [] : [{ user_uuid: filters.user === none ? null : filters.user }]),
    ...(filters.cause === '' ? [] : [{ hangup_cause: filters.cause }]),
    ...rangeOf('duration', filters.minSeconds, filters.maxSeconds),
    ...rangeOf('call_price', filters.minPrice, filters.maxPrice),
  ]
  if (conditions.length === 0) return undefined
  return conditions.length === 1 ? conditions[0] : { and: conditions }
}

/** Dates are days of the account, both included. */
function startsOf({ period, since, until }: CallFilters, now: Date, timeZone: string): Where[] {
  const daysAgo = days[period]
  return [
    ...(daysAgo === undefined
      ? []
      : [{ started_at: { gte: startOfDay(now, timeZone, daysAgo).toISOString() } }]),
    ...(isDate(since) ? [{ started_at: { gte: since } }] : []),
    ...(isDate(until) ? [{ started_at: { lt: plusDays(until, 1) } }] : []),
  ]
}

/** D613: on both sides, since who called is asked as often as who was called. */
function numberOf(text: string): Where[] {
  const digits = text.replace(/\D/g, '')
  if (digits === '') return []
  const condition = digitsOf(digits)
  return [{ or: [{ to: condition }, { from: condition }] }]
}

/** D640: a whole number (an extension), its end, or any part: each of them is looked up in an index. */
function digitsOf(digits: string) {
  if (digits.length < minEndDigits) return digits
  return { like: digits.length < minPartDigits ? `%${digits}` : digits }
}

const minEndDigits = 4
const minPartDigits = 6

/** An extension by its number, on both sides; a person by name or e-mail. */
function personOf(person: string): Where[] {
  if (person === '') return []
  if (/^\d{2,6}$/.test(person)) return [{ or: [{ from: person }, { to: person }] }]
  const pattern = { ilike: person }
  return [{ or: [{ first_name: pattern }, { last_name: pattern }, { email: pattern }] }]
}

/** In place of the key of an outcome or of a user: calls without one. */
export const none = '-'

function outcomeOf(outcome: string): Where[] {
  return outcome === '' ? [] : [{ outcome: outcome === none ? null : outcome }]
}

/** D604: as the reports count it, the extension of a call: of one that came in it is the number that was called. */
function extensionOf(number: string): Where[] {
  if (number === '') return []
  const isInbound = { call_type: 'inbound' }
  const isOther = { call_type: { neq: 'inbound' } }
  return [{ or: [{ and: [isInbound, { to: number }] }, { and: [isOther, { from: number }] }] }]
}

function rangeOf(field: string, min: string, max: string): Where[] {
  const bounds = { ...(isNumber(min) && { gte: Number(min) }), ...(isNumber(max) && { lte: Number(max) }) }
  return Object.keys(bounds).length === 0 ? [] : [{ [field]: bounds }]
}

const isNumber = (text: string) => /^\d+(\.\d{1,2})?$/.test(text)
