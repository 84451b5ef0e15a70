/**
 * D615: CSV as a spreadsheet of a language opens it by itself: a byte order mark, the separator and decimal sign of that
 * language, times of the account, and words in place of names and codes.
 */
import { refuseParameter } from '../contract/errors.ts'
import { anySeparator } from '../kit/text/csv.ts'
import type { Language, Translated } from '../kit/text/language.ts'
import { writePhone } from '../kit/text/phone.ts'
import type { Query } from './entry.ts'

/** How the lines of a CSV file are written. */
export type CsvDialect = {
  /** Before the first line. */
  mark: string
  separator: ',' | ';'
  /** Characters for which a cell is quoted. */
  quotedFor?: RegExp
  title(column: string): string
  /** A number is written as it is returned; text is quoted if need be. */
  cell(column: string, value: unknown): unknown
  number(value: number): string
}

/** RFC 4180, with the names of the API. */
export const plainCsv: CsvDialect = {
  mark: '',
  separator: ',',
  title: (column) => column,
  cell: (_, value) => value,
  number: String,
}

export type SheetColumn = {
  name: Translated<string>
  kind?: 'instant' | 'seconds' | 'phone'
  /** In place of the values. */
  words?: Record<string, Translated<string>>
}

const sheets = { en: 'must be pt or en', pt: 'deve ser pt ou en' }

export const sheetParameter = {
  about:
    'With `format=csv`: `pt` or `en` for a file that a spreadsheet of that language opens by itself, with a byte order mark, ' +
    '`;` and decimal comma (`pt`) or `,` and decimal point (`en`), times of the account, and words in place of names and codes',
  example: 'pt',
}

/** Undefined for the plain form. */
export function readDialect(
  sheet: Query[string],
  timeZone: string,
  columns: Record<string, SheetColumn>,
): CsvDialect {
  if (sheet === undefined) return plainCsv
  if (sheet !== 'pt' && sheet !== 'en') throw refuseParameter('sheet', sheets)
  return createSheet(sheet, timeZone, columns)
}

function createSheet(language: Language, timeZone: string, columns: Record<string, SheetColumn>): CsvDialect {
  const moment = createMoment(language, timeZone)
  function cell(column: string, value: unknown): unknown {
    const { kind, words } = columns[column] ?? {}
    if (typeof value === 'number') return kind === 'seconds' ? clockTime(value) : value
    if (typeof value !== 'string') return value
    if (kind === 'instant') return moment(value)
    if (kind === 'phone') return writePhone(value)
    return words?.[value]?.[language] ?? value
  }
  return {
    mark: '\uFEFF',
    separator: language === 'pt' ? ';' : ',',
    quotedFor: anySeparator,
    title: (column) => columns[column]?.name[language] ?? column,
    cell,
    number: (value) => (language === 'pt' ? String(value).replace('.', ',') : String(value)),
  }
}

/** `17/11/2026 02:11:39`, or `2026-11-17 02:11:39`. */
function createMoment(language: Language, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  })
  return (iso: string): string => {
    const [date = '', time = ''] = format.format(new Date(iso)).split(', ')
    return `${language === 'pt' ? date.split('-').reverse().join('/') : date} ${time}`
  }
}

/** `00:01:05`, which spreadsheets add up. */
function clockTime(seconds: number): string {
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}
