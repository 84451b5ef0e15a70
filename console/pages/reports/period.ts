/** The periods of reports: the last days until now, or dates that a person chose, and the time before each (D607). */
import { dateOf, daysBetween, isDate, midnightOf, plusDays } from '../../parts/days.ts'

export type Span = {
  /** Distinguishes it from others. */
  key: string
  bounds: (now: Date) => { from: Date; to: Date }
}

export type Period = Span & {
  days: number
  /** From the first to the last, in the time zone of the account. */
  dates: string[]
  timeZone: string
  /** It ends now. */
  isCurrent: boolean
}

/** The API reads at most a year by day, and three months by the hour of the week. */
const maxDays = 366
const maxDaysOfHours = 92

export const lastDays = [1, 7, 30, 90]

type Chosen = { days: string; since: string; until: string }

/** Dates count if both are given, in order, and within a year. */
export function readPeriod({ days, since, until }: Chosen, now: Date, timeZone: string): Period {
  const isChosen = isDate(since) && isDate(until)
  const length = isChosen ? daysBetween(since, until) : 0
  if (isChosen && length >= 1 && length <= maxDays) return ofDates(since, length, timeZone)
  return ofLastDays(lastDays.find((one) => String(one) === days) ?? 7, now, timeZone)
}

export const hasHours = ({ days }: Period) => days <= maxDaysOfHours

function ofDates(since: string, days: number, timeZone: string): Period {
  const dates = datesFrom(since, days)
  return {
    key: `${since} ${days}`,
    days,
    dates,
    timeZone,
    isCurrent: false,
    bounds: () => ({
      from: midnightOf(since, timeZone),
      to: midnightOf(plusDays(since, days), timeZone),
    }),
  }
}

function ofLastDays(days: number, now: Date, timeZone: string): Period {
  const first = dateOf(now, timeZone, days - 1)
  return {
    key: `last ${first} ${days}`,
    days,
    dates: datesFrom(first, days),
    timeZone,
    isCurrent: true,
    bounds: (at) => ({ from: midnightOf(first, timeZone), to: at }),
  }
}

const datesFrom = (first: string, days: number) =>
  Array.from({ length: days }, (_, day) => plusDays(first, day))

const dayMs = 86_400_000

/** A period that ends now is compared until the same time of day. */
export function previousOf({ key, days, dates, timeZone, isCurrent }: Period): Span {
  const [first = ''] = dates
  const from = midnightOf(plusDays(first, -days), timeZone)
  return {
    key,
    bounds: (now) => ({
      from,
      to: isCurrent ? new Date(now.getTime() - days * dayMs) : midnightOf(first, timeZone),
    }),
  }
}
