/**
 * Points in time as filters write them (D16). A time stands for the span that its precision leaves open: a date for the
 * whole day, a time without a fraction for the whole second (or minute), with a fraction for that instant.
 */
import { refuseParameter } from '../../contract/errors.ts'
import type { Span } from '../condition.ts'
import { noCalendarDate, texts } from './texts.ts'
import { occurrencesOf, startOfDay } from './time-zone.ts'

const shape =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

/**
 * `spans` has the span twice where clocks are set back over a local time, and is empty where they jump over it. `from` is
 * the first instant and `until` the first one after it all; a time that was jumped over begins and ends at the jump.
 */
export type Time = Span & { spans: readonly Span[] }

/** A date, and a time without an offset, are local to the account. */
export function readTime(raw: unknown, path: string, timeZone: string): Time {
  if (typeof raw !== 'string') throw refuseParameter(path, texts.noDate)
  const [whole, date = '', hour, minute, second, fraction, offset] = shape.exec(raw) ?? []
  if (whole === undefined) throw refuseParameter(path, texts.noDate)
  const midnight = readDate(date, path)
  if (hour === undefined) {
    const from = startOfDay(midnight, timeZone).getTime()
    const until = startOfDay(new Date(midnight.getTime() + day), timeZone).getTime()
    return timeOf(until > from ? [spanOf(from, until)] : [], until)
  }
  const local = Date.parse(`${date}T${hour}:${minute}:${second ?? '00'}Z`)
  const found =
    offset === undefined
      ? occurrencesOf(local, timeZone)
      : { instants: [local - offsetMinutes(offset) * 60_000], jump: 0 }
  const spans = found.instants.map((instant) =>
    fraction === undefined
      ? spanOf(instant, instant + (second === undefined ? 60_000 : 1000))
      : exactSpan(instant, fraction),
  )
  return timeOf(spans, found.jump)
}

const day = 86_400_000

function readDate(date: string, path: string): Date {
  const midnight = new Date(`${date}T00:00:00Z`)
  // Date.parse moves 30 February to March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) {
    throw refuseParameter(path, noCalendarDate(date))
  }
  if (date.startsWith('0000')) throw refuseParameter(path, texts.yearOutOfRange)
  return midnight
}

function timeOf(spans: readonly Span[], jump: number): Time {
  const from = spans.at(0)?.from ?? textOf(jump)
  return { spans, from, until: spans.at(-1)?.until ?? from }
}

const spanOf = (from: number, until: number): Span => ({ from: textOf(from), until: textOf(until) })

/** The database holds microseconds. */
function exactSpan(second: number, fraction: string): Span {
  const microseconds = Number(fraction.slice(0, 6).padEnd(6, '0'))
  const at = (added: number) => {
    const text = textOf(second + (added === 1_000_000 ? 1000 : 0))
    return text.replace('.000Z', `.${String(added % 1_000_000).padStart(6, '0')}Z`)
  }
  return { from: at(microseconds), until: at(microseconds + 1) }
}

/** As PostgreSQL reads it; what an offset moves out of the years that it can be written in is beyond every time. */
function textOf(instant: number): string {
  const text = new Date(instant).toISOString()
  if (text.startsWith('-') || text.startsWith('0000')) return '-infinity'
  return text.startsWith('+') ? 'infinity' : text
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return offset.startsWith('-') ? -minutes : minutes
}
