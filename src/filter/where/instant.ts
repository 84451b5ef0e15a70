/** Points in time as filters write them (D16). */
import { refuseParameter } from '../../contract/errors.ts'
import { startOfDay } from './time-zone.ts'

const shape =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

/**
 * ISO 8601 to UTC text. An offset is honoured, a time without one is UTC, a date alone is
 * the start of that day in the account's time zone.
 */
export function readInstant(raw: unknown, path: string, timeZone: string): string {
  if (typeof raw !== 'string') throw refuseParameter(path, 'must be an ISO 8601 date')
  const [whole, date = '', hour, minute, second = '00', fraction = '', offset = 'Z'] = shape.exec(raw) ?? []
  if (whole === undefined) throw refuseParameter(path, 'must be an ISO 8601 date')

  const midnight = new Date(`${date}T00:00:00Z`)
  // Date.parse moves 30 February to March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) {
    throw refuseParameter(path, `${date} is not a date of the calendar`)
  }
  const instant =
    hour === undefined
      ? startOfDay(midnight, timeZone)
      : new Date(Date.parse(`${date}T${hour}:${minute}:${second}Z`) - offsetMinutes(offset) * 60_000)
  const text = instant.toISOString()
  if (!/^\d{4}/.test(text) || text.startsWith('0000')) {
    throw refuseParameter(path, 'must lie in the years 0001 to 9999')
  }
  // The database holds microseconds.
  return hour === undefined ? text : `${text.slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return offset.startsWith('-') ? -minutes : minutes
}
