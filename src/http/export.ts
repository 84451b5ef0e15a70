/**
 * A whole list as one file, CSV or one JSON object a line (D301). Pages are read as the client takes them, so that the
 * memory it needs does not depend on the length of the list.
 */
import { Readable } from 'node:stream'
import { refuseParameter } from '../contract/errors.ts'
import { writeCell } from '../kit/csv.ts'
import { Download, type Query } from './entry.ts'

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

type Exported<Row> = {
  format: FileFormat
  /** Of the file, without its ending. */
  name: string
  columns: readonly string[]
  /** The first page is read before the answer begins, so that a refusal is answered as usual. */
  pages: AsyncIterator<Row[]>
  /** One JSON object. */
  write: (row: Row) => string
}

export async function exportAnswer<Row>(exported: Exported<Row>): Promise<Download> {
  const { format, name, pages } = exported
  const first = await pages.next()
  const body = Readable.from(linesOf(exported, first), { objectMode: false })
  return new Download(
    200,
    {
      'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
    },
    body,
  )
}

async function* linesOf<Row>(
  { format, columns, pages, write }: Exported<Row>,
  first: IteratorResult<Row[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield `${columns.join(',')}\r\n`
  for (let page = first; !page.done; page = await pages.next()) {
    const texts = page.value.map(write)
    const lines = format === 'csv' ? texts.map((text) => csvLine(text, columns)) : texts
    yield lines.map((line) => line + (format === 'csv' ? '\r\n' : '\n')).join('')
  }
}

function csvLine(json: string, columns: readonly string[]): string {
  const record: Record<string, unknown> = JSON.parse(json)
  return columns.map((column) => csvCell(record[column])).join(',')
}

/** RFC 4180. Text that a spreadsheet would take for a formula begins with an apostrophe; numbers with a sign do not. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isFormula = /^[=@\t\r]/.test(text) || (/^[+-]/.test(text) && !/^[+-][\d\s().-]*$/.test(text))
  return writeCell(isFormula ? `'${text}` : text)
}
