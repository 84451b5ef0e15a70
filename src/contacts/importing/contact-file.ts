/** Reads contacts from a CSV file, as spreadsheets and address books write it (D598). */
import { type LineProblem, maxNumbers } from '../../contract/accounts/contacts.ts'
import { refuseFields } from '../../contract/errors.ts'
import { readCsv, separatorOf } from '../../kit/text/csv.ts'
import { readPhone } from '../../kit/text/phone.ts'
import { searchText } from '../contact.ts'

/** D598: more are sent as several files. */
const maxLines = 5_000
const maxText = 120

export type FileLine = {
  line: number
  name: string
  company: string
  /** E.164 without plus, each once. */
  numbers: string[]
  problem?: LineProblem
  /** The value that has the problem. */
  value?: string
}

const names = /^(name|nome|nome completo|full name|contato|contact)$/
const companies = /^(company|empresa|organization|organizacao)$/
const phones = /^(numbers?|numeros?|phone|telefone|fone|celular|mobile|whatsapp)/

/** Empty lines are left out. Refused as a whole if there is no column for names or none for numbers, or too many lines. */
export function readContactFile(csv: string): FileLine[] {
  const text = csv.replace(/^\uFEFF/, '')
  const [header = [], ...rows] = readCsv(text, separatorOf(text))
  const titles = header.map(searchText)
  const columns = {
    name: titles.findIndex((title) => names.test(title)),
    company: titles.findIndex((title) => companies.test(title)),
    numbers: titles.flatMap((title, index) => (phones.test(title) ? [index] : [])),
  }
  if (columns.numbers.length === 0 || (columns.name < 0 && columns.company < 0)) {
    throw refuseFields('Contact', { csv: [noColumns] })
  }
  const lines = rows
    .map((cells, index) => ({ cells, line: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (lines.length > maxLines) throw refuseFields('Contact', { csv: [tooManyLines] })
  return lines.map(({ cells, line }) => {
    const cellOf = (column: number) => (cells[column] ?? '').replaceAll(/\s+/g, ' ').trim()
    const company = cellOf(columns.company)
    const name = cellOf(columns.name) || company
    return readLine({
      line,
      name,
      company,
      given: columns.numbers.flatMap((column) => split(cellOf(column))),
    })
  })
}

type Given = { line: number; name: string; company: string; given: string[] }

function readLine({ line, name, company, given }: Given): FileLine {
  const read = given.map((text) => ({ text, number: readPhone(text) }))
  const numbers = [...new Set(read.flatMap(({ number }) => number ?? []))]
  const shown = { line, name, company, numbers }
  const wrong = read.find(({ number }) => number === undefined)
  if (name === '') return { ...shown, problem: 'no-name' }
  if (name.length > maxText || company.length > maxText) {
    return { ...shown, problem: 'name-too-long', value: name.length > maxText ? name : company }
  }
  if (wrong) return { ...shown, problem: 'invalid-number', value: wrong.text }
  if (numbers.length === 0) return { ...shown, problem: 'no-number' }
  if (numbers.length > maxNumbers) return { ...shown, problem: 'too-many-numbers' }
  return shown
}

/** Several numbers in one cell. */
const split = (cell: string) =>
  cell
    .split(/[,;/|]| e | ou /)
    .map((part) => part.trim())
    .filter(Boolean)

const noColumns = {
  code: 'format',
  message: {
    en: 'must begin with a line of names: name, company, phone',
    pt: 'deve começar com uma linha de títulos: nome, empresa, telefone',
  },
}
const tooManyLines = {
  code: 'length',
  message: {
    en: `must not have more than ${maxLines} contacts`,
    pt: `não pode ter mais de ${maxLines} contatos`,
  },
}
