/** Schemas as tables of fields. */
import type { Parameter, Schema } from '../document.ts'
import { escapeText, inline } from './text.ts'

export function fieldTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) =>
    row(name, typeOf(schema), schema.description, required.includes(name) ? '' : 'optional'),
  )
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
}

export function parameterTable(parameters: Parameter[]): string {
  const rows = parameters.map(({ name, in: place, description, required, schema }) =>
    row(name, typeOf(schema), description, `${place}${required ? '' : ', optional'}`),
  )
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
}

function row(name: string, type: string, about = '', note = ''): string {
  const small = note === '' ? '' : ` <small>${note}</small>`
  const text = about === '' ? '' : inline(about.split('\n', 1)[0] ?? '')
  return `<tr><th>${escapeText(name)}${small}<td><i>${type}</i> ${text}`
}

/** `string or null`, `list of User`, the values of an enumeration. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return linkTo(schema.$ref)
  if (schema.const !== undefined) return `<code>${escapeText(String(schema.const))}</code>`
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum && schema.enum.length < 16) return choices(schema.enum)
  const types = schema.type ?? 'any'
  if (types === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  const text = Array.isArray(types) ? types.join(' or ') : types
  return schema.format ? `${text}, ${schema.format}` : text
}

const choices = (values: unknown[]) =>
  values.map((value) => `<code>${escapeText(String(value))}</code>`).join(' ')

export function linkTo(reference: string): string {
  const name = reference.split('/').at(-1) ?? ''
  return `<a href="#${name}">${name}</a>`
}
