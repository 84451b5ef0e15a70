/** The calls as a spreadsheet has them: numbers that add up, times of the account, text with its accents and separators. */
import { callPageWords } from '../../../../console/pages/calls/words.ts'
import { telephone } from '../../../../console/parts/telephone.ts'
import { resultWords } from '../../../../console/words/results.ts'
import type { Cell } from '../../witnesses/spreadsheet.ts'
import type { Outcome } from './sellers-hour.ts'

export const fields = [
  'id',
  'started_at',
  'from',
  'to',
  'duration',
  'call_price',
  'outcome',
  'notes',
] as const
export type SheetCall = {
  id: string
  started_at: string
  from: string
  to: string
  duration: number
  call_price: number | null
  outcome: string | null
  notes: string
}

/** Of accounts, unless they choose another. */
const timeZone = 'America/Sao_Paulo'

type Look = { outcomes: Outcome[]; language: 'pt' | 'en' }

export function compareSheet(sheet: (Cell | undefined)[][], calls: SheetCall[], look: Look) {
  const [head = [], ...rows] = sheet
  const names = head.map((cell) => cell?.value ?? '')
  const found = rows.map((row) => describe((name) => row[names.indexOf(name)], look.language))
  const expected = calls.map((call) => expectedOf(call, look))
  const missing = expected.filter((row) => !found.includes(row))
  if (missing.length > 0 || found.length !== expected.length)
    throw new Error(
      `${found.length} rows for ${calls.length} calls, below ${names.join(', ')}; not there:\n${missing.join('\n')}\nthere:\n${found.join('\n')}`,
    )
  if (!calls.some(({ call_price: price }) => price !== null && !Number.isInteger(price)))
    throw new Error('no price has a decimal comma')
}

function describe(cell: (name: string) => Cell | undefined, language: Look['language']): string {
  const words = { ...resultWords[language], ...callPageWords[language] }
  const columns = [words.id, words.when, words.from, words.to, words.length, words.price]
  return [...columns, resultWords[language].outcome, resultWords[language].notes]
    .map((name) => cell(name))
    .map((one) => (one ? `${one.kind} ${one.value}` : '-'))
    .join(' | ')
}

function expectedOf(call: SheetCall, { outcomes }: Look): string {
  const label = outcomes.find(({ key }) => key === call.outcome)?.label
  const text = (value: string | undefined) => (value ? `string ${value}` : '-')
  const { duration: seconds, call_price: price } = call
  return [
    text(call.id),
    `date ${localTime(call.started_at)}`,
    party(call.from),
    party(call.to),
    `time PT00H${pad(Math.floor(seconds / 60))}M${pad(seconds % 60)}S`,
    price === null ? '-' : `float ${price}`,
    text(label),
    text(call.notes),
  ].join(' | ')
}

/** Extensions are numbers to a spreadsheet, telephone numbers are text. */
const party = (number: string) => (number.length < 8 ? `float ${number}` : `string ${telephone(number)}`)

const pad = (value: number) => String(value).padStart(2, '0')

function localTime(iso: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return format.format(new Date(iso)).replace(' ', 'T')
}
