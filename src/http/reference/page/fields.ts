/** Schemas as tables of fields. */
import type { Parameter, Schema } from '../document.ts'
import { type Marks, typeWords } from '../type-words.ts'
import { escapeText, inline } from './text.ts'

export const htmlMarks: Marks = {
  code: (text) => `<code>${escapeText(text)}</code>`,
  link: (record) => `<a href="#${record}">${record}</a>`,
}

export function fieldTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) =>
    row(name, schema, schema.description, required.includes(name) ? '' : 'optional'),
  )
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
}

export function parameterTable(parameters: Parameter[]): string {
  const rows = parameters.map(({ name, in: place, description, required, schema }) =>
    row(name, schema, description, `${place}${required ? '' : ', optional'}`),
  )
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
}

function row(name: string, schema: Schema, about = '', note = ''): string {
  const small = note === '' ? '' : ` <small>${note}</small>`
  const text = about === '' ? '' : inline(about.split('\n', 1)[0] ?? '')
  return `<tr><th>${escapeText(name)}${small}<td><i>${typeWords(schema, htmlMarks)}</i> ${text}`
}
