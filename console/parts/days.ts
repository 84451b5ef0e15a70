/** Days in the time zone of the account. */

const dayMs = 86_400_000

/** The midnight that began the day in a time zone, some days ago. */
export function startOfDay(now: Date, timeZone: string, daysAgo: number): Date {
  return midnightOf(dateOf(now, timeZone, daysAgo), timeZone)
}

/** `2026-11-15`: the date in a time zone, some days ago. */
export function dateOf(now: Date, timeZone: string, daysAgo: number): string {
  const day = new Date(now.getTime() - daysAgo * dayMs)
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(day)
}

/** The midnight that begins a date in a time zone. */
export function midnightOf(date: string, timeZone: string): Date {
  const utc = new Date(`${date}T00:00:00Z`)
  const shown = new Date(utc.toLocaleString('en-US', { timeZone }))
  const plain = new Date(utc.toLocaleString('en-US', { timeZone: 'UTC' }))
  return new Date(utc.getTime() + (plain.getTime() - shown.getTime()))
}

/** A date some days later, or earlier. */
export function plusDays(date: string, days: number): string {
  const moved = new Date(`${date}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + days)
  return moved.toISOString().slice(0, 10)
}

export const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Days from one date to another, both included. */
export function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / dayMs) + 1
}
