/** Rates as a CSV file, which operators edit in a spreadsheet. */
import { readCsv, writeCell } from '../../kit/text/csv.ts'
import { readMinutePrice, writeMinutePrice } from '../../kit/text/money.ts'
import { defaultBlocks } from './rate.ts'
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
const required = ['prefix', 'minute_price']

export type Sheet = { rates: SheetRate[]; problems: string[] }

/** A rate without a domain belongs to the default deck. The blocks and the name are optional. */
export function readSheet(text: string): Sheet {
  const [header = [], ...lines] = readCsv(text.replace(/^\uFEFF/, ''))
  const names = header.map((name) => name.trim().toLowerCase())
  const unknown = names.filter((name) => !columns.includes(name))
  const missing = required.filter((name) => !names.includes(name))
  const problems = [
    ...unknown.map((name) => `line 1: there is no column ${JSON.stringify(name)}; use ${columns.join(',')}`),
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

/** The rate, or the problem with the line. */
function readRate(fields: Record<string, string>, line: number): SheetRate | string {
  const { domain = '', prefix = '', name = '', minute_price = '', valid_from = '', valid_until = '' } = fields
  if (!/^\d{1,15}$/.test(prefix)) return 'prefix must be 1 to 15 digits'
  if (name.length > 100) return 'name must not be longer than 100 characters'
  const minutePrice = readMinutePrice(minute_price)
  if (minutePrice === undefined || minutePrice < 0 || minutePrice > 10_000_000) {
    return 'minute_price must be reais from 0 to 1000.0000, with a dot and at most four decimals'
  }
  const firstBlock = readSeconds(fields.first_block, 1, defaultBlocks.firstBlock)
  const step = readSeconds(fields.step, 1, defaultBlocks.step)
  const grace = readSeconds(fields.grace, 0, defaultBlocks.grace)
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

function readSeconds(text: string | undefined, min: number, fallback: number): number | undefined {
  if (text === undefined || text === '') return fallback
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return seconds >= min && seconds <= 3600 ? seconds : undefined
}

/** Undefined for an empty cell, null for a text that is not a time. */
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
  return [columns, ...lines].map((cells) => `${cells.map((cell) => writeCell(cell)).join(',')}\n`).join('')
}
