/** Rates as a CSV file, which operators edit in a spreadsheet. */
import { anySeparator, readCsv, separatorOf, writeCell } from '../../kit/text/csv.ts'
import type { Translated } from '../../kit/text/language.ts'
import { readMinutePrice, writeMinutePrice } from '../../kit/text/money.ts'
import { defaultBlocks } from './rate.ts'
import type { SheetProblem, SheetRate, StoredRate } from './rate-changes.ts'

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

export type Sheet = { rates: SheetRate[]; problems: SheetProblem[] }

/**
 * A rate without a domain belongs to the default deck. The blocks and the name are optional. Where the cells are separated by
 * semicolons or tabs, as Excel writes them in Brazil, prices may have a decimal comma.
 */
export function readSheet(given: string): Sheet {
  const text = given.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
  const [header = [], ...lines] = readCsv(text, separator)
  const names = header.map((name) => name.trim().toLowerCase())
  const unknown = names.filter((name) => !columns.includes(name))
  const missing = required.filter((name) => !names.includes(name))
  const problems: SheetProblem[] = [
    ...unknown.map((name) => ({ line: 1, message: noColumn(name) })),
    ...missing.map((name) => ({ line: 1, message: missingColumn(name) })),
  ]
  if (problems.length > 0) return { rates: [], problems }
  const rates: SheetRate[] = []
  for (const [index, cells] of lines.entries()) {
    if (cells.every((cell) => cell.trim() === '')) continue
    const fields = Object.fromEntries(names.map((name, column) => [name, cells[column]?.trim() ?? '']))
    if (separator !== ',') fields.minute_price = fields.minute_price?.replace(',', '.') ?? ''
    const line = index + 2
    const rate = readRate(fields, line)
    if ('prefix' in rate) rates.push(rate)
    else problems.push({ line, message: rate })
  }
  return { rates, problems }
}

/** The rate, or the problem with the line. */
function readRate(fields: Record<string, string>, line: number): SheetRate | Translated<string> {
  const { domain = '', prefix = '', name = '', minute_price = '', valid_from = '', valid_until = '' } = fields
  if (!/^\d{1,15}$/.test(prefix)) return mistakes.prefix
  if (name.length > 100) return mistakes.name
  const minutePrice = readMinutePrice(minute_price)
  if (minutePrice === undefined || minutePrice < 0 || minutePrice > 10_000_000) return mistakes.price
  const firstBlock = readSeconds(fields.first_block, 1, defaultBlocks.firstBlock)
  const step = readSeconds(fields.step, 1, defaultBlocks.step)
  const grace = readSeconds(fields.grace, 0, defaultBlocks.grace)
  if (firstBlock === undefined || step === undefined || grace === undefined) return mistakes.seconds
  if (firstBlock % step !== 0) return mistakes.multiple
  const [from, until] = [readTime(valid_from), readTime(valid_until)]
  if (from === null || until === null) return mistakes.time
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

const noColumn = (name: string) => ({
  en: `there is no column ${JSON.stringify(name)}; use ${columns.join(',')}`,
  pt: `não existe a coluna ${JSON.stringify(name)}; use ${columns.join(',')}`,
})
const missingColumn = (name: string) => ({
  en: `the column ${name} is missing`,
  pt: `falta a coluna ${name}`,
})
const mistakes = {
  prefix: { en: 'prefix must be 1 to 15 digits', pt: 'prefix deve ter de 1 a 15 dígitos' },
  name: {
    en: 'name must not be longer than 100 characters',
    pt: 'name não pode ter mais de 100 caracteres',
  },
  price: {
    en: 'minute_price must be reais from 0 to 1000.0000, with at most four decimals',
    pt: 'minute_price deve ser em reais, de 0 a 1000,0000, com até quatro casas decimais',
  },
  seconds: {
    en: 'first_block, step and grace must be whole seconds up to 3600',
    pt: 'first_block, step e grace devem ser segundos inteiros até 3600',
  },
  multiple: {
    en: 'first_block must be a multiple of step',
    pt: 'first_block deve ser um múltiplo de step',
  },
  time: {
    en: 'valid_from and valid_until must be ISO 8601 times with an offset',
    pt: 'valid_from e valid_until devem ser horários ISO 8601 com fuso',
  },
} satisfies Record<string, Translated<string>>

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

/** With semicolons and decimal commas, as Excel reads it in Brazil, or with commas and dots. */
export function writeSheet(rates: StoredRate[], separator: ',' | ';' = ','): string {
  const priceOf = ({ minutePrice }: StoredRate) => {
    const price = writeMinutePrice(minutePrice)
    return separator === ';' ? price.replace('.', ',') : price
  }
  const lines = rates.map((rate) => [
    rate.domain,
    rate.prefix,
    rate.name,
    priceOf(rate),
    ...[rate.firstBlock, rate.step, rate.grace].map(String),
    rate.from.toISOString(),
    rate.until?.toISOString() ?? '',
  ])
  const quotedFor = separator === ';' ? anySeparator : undefined
  const write = (cells: string[]) => `${cells.map((cell) => writeCell(cell, quotedFor)).join(separator)}\n`
  return [columns, ...lines].map(write).join('')
}
