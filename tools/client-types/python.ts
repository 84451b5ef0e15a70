/** The types of an OpenAPI document as Python TypedDicts, for Python 3.9: objects inside objects get names of their own. */
import type { ApiDocument } from '../../src/http/reference/document.ts'
import type { AnySchema } from './typescript.ts'

const heading = `"""Written by \`npm run api-types\` from the description of the API. Not to be edited: a test compares it."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

`
/** Words that cannot be the name of a field in a class. */
const keywords = ['from', 'in', 'is', 'class', 'pass', 'import', 'global', 'not', 'or', 'and']

type Field = { name: string; type: string; isRequired: boolean }

export function describePythonTypes({ components, webhooks }: ApiDocument): string {
  const classes: string[] = []
  const payloads = new Set(Object.values(webhooks).map(({ post }) => nameOfRef(bodyOf(post))))
  for (const [name, schema] of Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (payloads.has(name)) addClass(classes, `_${name}`, leavingOut(schema, 'eventType'))
    else if (schema.properties) addClass(classes, name, schema)
    else classes.push(`${name} = Dict[str, Any]\n`)
  }
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const name = `${camelCase(type)}Event`
    const field = `    eventType: Literal["${type}"]\n`
    classes.push(`class ${name}(_${nameOfRef(bodyOf(post))}, _InFeed):\n${field}`)
    return name
  })
  const lead = `class _InFeed(TypedDict, total=False):\n    #: Of events of the feed.\n    cursor: str\n`
  const page = 'class CallPage(TypedDict):\n    data: List[CallRecord]\n    meta: PageMeta\n'
  const union = `WebhookEvent = Union[\n${events.map((name) => `    ${name},\n`).join('')}]\nFeedEvent = WebhookEvent\n`
  return `${heading}\n${[lead, ...classes, page, union].join('\n\n')}`
}

function addClass(classes: string[], name: string, schema: AnySchema) {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([field, inner]) => ({
    name: field,
    type: typeOf(classes, `${name}${camelCase(field)}`, inner),
    isRequired: required.includes(field),
  }))
  const [always, sometimes] = [
    fields.filter((one) => one.isRequired),
    fields.filter((one) => !one.isRequired),
  ]
  if (sometimes.length === 0) classes.push(writeClass(name, 'TypedDict', always))
  else if (always.length === 0) classes.push(writeClass(name, 'TypedDict, total=False', sometimes))
  else {
    const base = `_${name}Always`.replace('__', '_')
    classes.push(writeClass(base, 'TypedDict', always))
    classes.push(writeClass(name, `${base}, total=False`, sometimes))
  }
}

function writeClass(name: string, bases: string, fields: Field[]): string {
  if (!fields.some((field) => keywords.includes(field.name)))
    return `class ${name}(${bases}):\n${fields.map((field) => `    ${field.name}: ${field.type}\n`).join('')}`
  if (bases !== 'TypedDict') throw new Error(`${name} has a keyword among its optional fields`)
  const lines = fields.map((field) => `        "${field.name}": '${field.type}',\n`).join('')
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines}    },\n)\n`
}

function typeOf(classes: string[], name: string, schema: AnySchema): string {
  if (schema.$ref) return nameOfRef(schema)
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices) return `Literal[${choices.map(literal).join(', ')}]`
  const several = schema.anyOf ?? schema.oneOf
  if (several) {
    const types = several.map((one, index) => typeOf(classes, `${name}${index === 0 ? '' : index + 1}`, one))
    return unionOf(types)
  }
  return unionOf([schema.type ?? 'unknown'].flat().map((kind) => typeOfKind(classes, name, kind, schema)))
}

function typeOfKind(classes: string[], name: string, kind: string, schema: AnySchema): string {
  if (kind === 'object') {
    if (!schema.properties || Object.keys(schema.properties).length === 0) return 'Dict[str, Any]'
    addClass(classes, name, schema)
    return name
  }
  if (kind === 'array') return `List[${typeOf(classes, name, schema.items ?? {})}]`
  const simple: Record<string, string> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
  }
  return simple[kind] ?? 'Any'
}

function unionOf(types: string[]): string {
  const others = [...new Set(types.filter((type) => type !== 'None'))]
  if (others.length === 0) return 'None'
  const one = others.length === 1 ? (others[0] ?? 'Any') : `Union[${others.join(', ')}]`
  return types.includes('None') ? `Optional[${one}]` : one
}

function leavingOut(schema: AnySchema, field: string): AnySchema {
  const { [field]: _, ...properties } = schema.properties ?? {}
  return { ...schema, properties, required: schema.required?.filter((name) => name !== field) ?? [] }
}

export function bodyOf(operation: ApiDocument['paths'][string][string] | undefined): AnySchema {
  return operation?.requestBody?.content['application/json']?.schema ?? {}
}

export const nameOfRef = ({ $ref = '' }: AnySchema) => $ref.split('/').at(-1) ?? ''

const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }
const literal = (value: unknown) => words[String(value)] ?? JSON.stringify(value)

const camelCase = (text: string) =>
  text.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
