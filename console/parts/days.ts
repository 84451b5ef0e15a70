/** Days in the time zone of the account. */

/** The midnight that began the day in a time zone, some days ago. */
export function startOfDay(now: Date, timeZone: string, daysAgo: number): Date {
  const day = new Date(now.getTime() - daysAgo * 86_400_000)
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(day)
  const utc = new Date(`${parts}T00:00:00Z`)
  const shown = new Date(utc.toLocaleString('en-US', { timeZone }))
  const plain = new Date(utc.toLocaleString('en-US', { timeZone: 'UTC' }))
  return new Date(utc.getTime() + (plain.getTime() - shown.getTime()))
}
