/** Equality with one of the given values: what each of them may be in the database. */

import { isUuid } from '../../kit/ids.ts'
import { readPhone } from '../../kit/text/phone.ts'
import type { Test } from '../condition.ts'
import type { Field } from '../fields.ts'
import { readTime } from './instant.ts'
import { readText, readValue } from './value.ts'

export type Given = { raw: unknown; path: string }

export function readEquality(field: Field, given: readonly Given[], timeZone: string): Test {
  const known = given.filter(({ raw }) => raw !== null)
  const nulls = given.length > known.length ? [null] : []
  if (field.kind === 'instant') {
    const spans = known.flatMap(({ raw, path }) => readTime(raw, path, timeZone).spans)
    return { is: 'within', spans, orNull: nulls.length > 0 }
  }
  if (field.kind === 'text' && field.phone === 'as sent') {
    const texts = known.map(({ raw, path }) => readText(raw, path))
    return { is: 'phone', spellings: texts.flatMap(spellings), texts: [...texts, ...nulls] }
  }
  const values = known.flatMap(({ raw, path }) => storedForms(field, raw, path, timeZone))
  return { is: 'in', values: [...new Set(values), ...nulls] }
}

/** D133: a text that is no UUID is no id, so it equals none. */
function storedForms(field: Field, raw: unknown, path: string, timeZone: string): string[] {
  if (field.kind === 'uuid') {
    const id = readText(raw, path)
    return isUuid(id) ? [id.toLowerCase()] : []
  }
  const value = readValue(field, raw, path, timeZone)
  return field.kind === 'text' && field.phone ? [readDialledForm(value), value] : [value]
}

/** D131: a number as the dialling route reads it, whether of a phone or of an extension; other text as it is. */
function readDialledForm(text: string): string {
  const bare = text.replace(/[\s().-]/g, '')
  return /^\d{2,6}$/.test(bare) ? bare : (readPhone(text) ?? text)
}

const brazil = '55'

/** The digits, and the plus, with which a phone number may have been sent. */
function spellings(text: string): string[] {
  const number = readPhone(text)
  if (number === undefined) return []
  if (!number.startsWith(brazil)) return [`+${number}`]
  const national = number.slice(brazil.length)
  return [`+${number}`, number, `0${number}`, national, `0${national}`]
}
