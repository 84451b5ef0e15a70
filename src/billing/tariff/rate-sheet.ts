/** Rates as a sheet (CSV) that operators write and read in their own programs. */
import { readMinutePrice, writeMinutePrice } from '../../kit/money.ts'
import { usualBlocks } from './rate.ts'
import type { SheetRate, StoredRate } from './rate-changes.ts'

const columns: string[] = [
  'domain',
  'prefix',
  'name',
  'minute_price',
  'first_block',
  'step',
  'grace',
  'valid_from',
  'valid_until',
]
const needed = ['prefix', 'minute_price']

export type Sheet = { rates: SheetRate[]; problems: string[] }

/** Without a domain a rate is for all accounts. The blocks and the name may be left out. */
export function readSheet(text: string): Sheet {
  const [header = [], ...lines] = readCsv(text.replace(/^\uFEFF/, ''))
  const names = header.map((name) => name.trim().toLowerCase())
  const strange = names.filter((name) => !columns.includes(name))
  const missing = needed.filter((name) => !names.includes(name))
  const problems = [
    ...strange.map((name) => `line 1: there is no column ${JSON.stringify(name)}; use ${columns.join(',')}`),
    ...missing.map((name) => `line 1: the column ${name} is missing`),
  ]
  if (problems.length > 0) return { rates: [], problems }
  const rates: SheetRate[] = []
  for (const [index, cells] of lines.entries()) {
    if (cells.length === 1 && cells[0]?.trim() === '') continue
    const fields = Object.fromEntries(names.map((name, column) => [name, cells[column]?.trim() ?? '']))
    const rate = readRate(fields, index + 2)
    if (typeof rate === 'string') problems.push(`line ${index + 2}: ${rate}`)
    else rates.push(rate)
  }
  return { rates, problems }
}

/** The rate, or what is wrong with it. */
function readRate(fields: Record<string, string>, line: number): SheetRate | string {
  const { domain = '', prefix = '', name = '', minute_price = '', valid_from = '', valid_until = '' } = fields
  if (!/^\d{1,15}$/.test(prefix)) return 'prefix must be 1 to 15 digits'
  if (name.length > 100) return 'name must not be longer than 100 characters'
  const minutePrice = readMinutePrice(minute_price)
  if (minutePrice === undefined || minutePrice < 0 || minutePrice > 10_000_000) {
    return 'minute_price must be reais from 0 to 1000.0000, with a dot and at most four decimals'
  }
  const firstBlock = readSeconds(fields.first_block, 1, usualBlocks.firstBlock)
  const step = readSeconds(fields.step, 1, usualBlocks.step)
  const grace = readSeconds(fields.grace, 0, usualBlocks.grace)
  if (firstBlock === undefined || step === undefined || grace === undefined) {
    return 'first_block, step and grace must be whole seconds up to 3600'
  }
  if (firstBlock % step !== 0) return 'first_block must be a multiple of step'
  const [from, until] = [readTime(valid_from), readTime(valid_until)]
  if (from === null || until === null)
    return 'valid_from and valid_until must be ISO 8601 times with an offset'
  return {
    domain: domain.toLowerCase(),
    prefix,
    name: name === '' ? prefix : name,
    minutePrice,
    firstBlock,
    step,
    grace,
    from,
    until,
    line,
  }
}

function readSeconds(text: string | undefined, least: number, usual: number): number | undefined {
  if (text === undefined || text === '') return usual
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return seconds >= least && seconds <= 3600 ? seconds : undefined
}

/** Null if it is none. */
function readTime(text: string): Date | undefined | null {
  if (text === '') return undefined
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return null
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? null : time
}

export function writeSheet(rates: StoredRate[]): string {
  const lines = rates.map((rate) => [
    rate.domain,
    rate.prefix,
    rate.name,
    writeMinutePrice(rate.minutePrice),
    ...[rate.firstBlock, rate.step, rate.grace].map(String),
    rate.from.toISOString(),
    rate.until?.toISOString() ?? '',
  ])
  return [columns, ...lines].map((cells) => `${cells.map(writeCell).join(',')}\n`).join('')
}

function writeCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180: cells between commas, in quotes where they hold commas, quotes or ends of lines. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain, end] = found
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end !== ',') {
      rows.push(row)
      row = []
    }
    if (end === '') break
  }
  return rows
}
