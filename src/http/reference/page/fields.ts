/** Schemas as tables of fields. */
import type { Parameter, Schema } from '../document.ts'
import { type Marks, typeWords } from '../type-words.ts'
import type { ReferenceWords } from '../words.ts'
import { escapeText, inline } from './text.ts'

export const htmlMarks = (words: ReferenceWords): Marks => ({ code: codeHtml, link: recordLink, words })

export const codeHtml = (text: string) => `<code>${escapeText(text)}</code>`
const recordLink = (record: string) => `<a href="#${record}">${record}</a>`

export function fieldTable({ properties = {}, required = [] }: Schema, words: ReferenceWords): string {
  const rows = Object.entries(properties).map(([name, schema]) =>
    row(words, name, schema, schema.description, required.includes(name) ? '' : words.optional),
  )
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
}

export function parameterTable(parameters: Parameter[], words: ReferenceWords): string {
  const rows = parameters.map(({ name, in: place, description, required, schema }) =>
    row(words, name, schema, description, `${place}${required ? '' : `, ${words.optional}`}`),
  )
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
}

function row(words: ReferenceWords, name: string, schema: Schema, about = '', note = ''): string {
  const small = note === '' ? '' : ` <small>${note}</small>`
  const text = about === '' ? '' : inline(about.split('\n', 1)[0] ?? '')
  return `<tr><th>${escapeText(name)}${small}<td><i>${typeWords(schema, htmlMarks(words))}</i> ${text}`
}
