/** A contact: somebody whom the account calls or is called by, and the rules of its fields. */
import { type FieldProblems, problem } from '../contract/errors.ts'
import { readPhone } from '../kit/text/phone.ts'

export type Contact = {
  id: string
  name: string
  /** Empty if there is none. */
  company: string
  /** E.164 without plus, each once. */
  numbers: readonly string[]
  createdAt: Date
  updatedAt: Date
}

export type ContactFields = Pick<Contact, 'name' | 'company' | 'numbers'>

/** The fields normalised, and what is wrong with them; numbers that are none are left out. */
export function readContact<T extends Partial<ContactFields>>(
  input: T,
): { fields: T; problems: FieldProblems } {
  const problems: FieldProblems = {}
  const read: Partial<ContactFields> = { ...input }
  for (const field of ['name', 'company'] as const) {
    const text = input[field]?.trim()
    if (text === undefined) continue
    read[field] = text
    if (text === '' && field === 'name') problems[field] = [problem.blank]
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) problems[field] = [problem.severalLines]
  }
  if (input.numbers) {
    const numbers = input.numbers.map(readPhone)
    read.numbers = [...new Set(numbers.filter((number) => number !== undefined))]
    if (numbers.includes(undefined)) problems.numbers = [problem.noPhone]
  }
  return { fields: { ...input, ...read }, problems }
}

/** In small letters without accents: joao finds João. */
export function searchText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}

/** Fewer digits are no part of a number that anybody searches by. */
const minDigits = 3

/** The words that name and company must contain, and the digits that a number must. */
export function readSearch(text: string): { words: string[]; digits: string | undefined } {
  const digits = text.replaceAll(/\D/g, '')
  const isNumber = digits.length >= minDigits && /^[\d\s()+.-]+$/.test(text)
  return { words: searchText(text).split(/\s+/).filter(Boolean), digits: isNumber ? digits : undefined }
}
