/**
 * A whole list as one file, CSV or one JSON object a line (D301). Pages are read as the client takes them, so that the
 * memory it needs does not depend on the length of the list. An account has one export at a time, and all of them together
 * write for a moment in each turn of the event loop, so that other requests hardly wait for them (D472).
 */
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse, refuseParameter } from '../contract/errors.ts'
import { createSemaphore } from '../kit/semaphore.ts'
import { writeCell } from '../kit/text/csv.ts'
import { systemTimers, type Timers } from '../kit/timers.ts'
import type { Caller } from '../users/caller.ts'
import { Download, type Query } from './entry.ts'
import { type CsvDialect, plainCsv } from './spreadsheet.ts'

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
type FileFormat = keyof typeof mediaTypes

const formats = { en: 'must be json, csv or ndjson', pt: 'deve ser json, csv ou ndjson' }

export const formatParameter = {
  about:
    'json (a page), or csv or ndjson: all rows as one file; by default what `Accept` prefers of these, else json',
  example: 'json',
}

type Headers = Record<string, string | string[] | undefined>

/** Undefined for a page in JSON. A client that accepts anything gets that, too. */
export function fileFormat({ format }: Query, { accept }: Headers): FileFormat | undefined {
  if (format === 'csv' || format === 'ndjson') return format
  if (format !== undefined && format !== 'json') throw refuseParameter('format', formats)
  if (format === 'json' || typeof accept !== 'string' || accept.includes('application/json')) return undefined
  return (Object.keys(mediaTypes) as FileFormat[]).find((known) => accept.includes(mediaTypes[known]))
}

/** Rows written before other requests get their turn. */
const sliceMs = 1
/** D472: a client that takes nothing for so long is disconnected; it would keep its account from the next export. */
const maxStallMs = 60_000
const retryAfter = 5

type Exported<Row> = {
  format: FileFormat
  /** File name without the extension. */
  name: string
  columns: readonly string[]
  /** For CSV only. */
  dialect?: CsvDialect
  /** The first page is read before the answer begins, so that a refusal is answered as usual. */
  pages: AsyncIterator<Row[]>
  /** One JSON object. */
  write: (row: Row) => string
  /** By column; what is JSON already is text. */
  cells: (row: Row) => Record<string, unknown>
}

export function createExports(timers: Timers = systemTimers) {
  /** Accounts with an export. */
  const running = new Set<number>()
  const slices = createSemaphore(1)

  async function answer<Row>({ accountId }: Caller, exported: Exported<Row>): Promise<Download> {
    if (running.has(accountId)) throw refuse('EXPORT_RUNNING', { retryAfter })
    running.add(accountId)
    try {
      const first = await exported.pages.next()
      let stalled = timers.after(maxStallMs, disconnect)
      const onTaken = () => {
        stalled.cancel()
        stalled = timers.after(maxStallMs, disconnect)
      }
      const body = Readable.from(linesOf(exported, first, onTaken), { objectMode: false })
      function disconnect() {
        body.destroy()
      }
      body.once('close', () => {
        stalled.cancel()
        running.delete(accountId)
      })
      const { format, name } = exported
      const headers = {
        'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="${name}.${format}"`,
      }
      return new Download(200, headers, body)
    } catch (error) {
      running.delete(accountId)
      throw error
    }
  }

  async function* linesOf<Row>(
    { format, columns, dialect = plainCsv, pages, write, cells }: Exported<Row>,
    first: IteratorResult<Row[]>,
    onTaken: () => void,
  ): AsyncGenerator<string> {
    const line =
      format === 'csv'
        ? (row: Row) => `${csvLine(cells(row), columns, dialect)}\r\n`
        : (row: Row) => `${write(row)}\n`
    if (format === 'csv') yield csvHead(columns, dialect)
    for (let page = first; !page.done; page = await pages.next()) {
      const rows = page.value
      for (let next = 0; next < rows.length; ) {
        const slice = await slices.run(async () => {
          await nextTurn()
          return writeSlice(rows, next, line, timers)
        })
        next = slice.next
        yield slice.text
        onTaken()
      }
    }
  }

  return { answer }
}
export type Exports = ReturnType<typeof createExports>

function writeSlice<Row>(rows: Row[], first: number, line: (row: Row) => string, timers: Timers) {
  const until = timers.now() + sliceMs
  let text = ''
  let next = first
  do {
    const row = rows[next++]
    if (row !== undefined) text += line(row)
  } while (next < rows.length && timers.now() < until)
  return { text, next }
}

function csvHead(columns: readonly string[], { mark, separator, quotedFor, title }: CsvDialect): string {
  const titles = columns.map((column) => writeCell(title(column), quotedFor))
  return `${mark}${titles.join(separator)}\r\n`
}

export function csvLine(
  cells: Record<string, unknown>,
  columns: readonly string[],
  dialect = plainCsv,
): string {
  return columns
    .map((column) => csvCell(dialect.cell(column, cells[column]), dialect))
    .join(dialect.separator)
}

/** RFC 4180, without formulas. */
function csvCell(value: unknown, { number, quotedFor }: CsvDialect): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return writeCell(number(value), quotedFor)
  if (typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const parts = text.split(/([;\t\r\n])/).map((part) => (isFormula(part) ? `'${part}` : part))
  return writeCell(/^[\t\r]/.test(text) ? `'${parts.join('')}` : parts.join(''), quotedFor)
}

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe; numbers with a sign do not. So does every part of a text
 * after a semicolon, tab or line end: Excel splits lines at semicolons where the comma is the decimal sign, and then
 * ignores quotation marks that do not begin its cell.
 */
function isFormula(text: string): boolean {
  return /^[=@]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d\s().-]*$/.test(text))
}
