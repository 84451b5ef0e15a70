/** The types of an OpenAPI document as array shapes, which PHPStan, Psalm and PhpStorm read from comments. */
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { bodyOf, nameOfRef } from './python.ts'
import type { AnySchema } from './typescript.ts'

export function describePhpTypes({ components, webhooks }: ApiDocument): string {
  const shapes = Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `@phpstan-type ${name} ${typeOf(schema)}`)
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = components.schemas[nameOfRef(bodyOf(post))] ?? {}
    const eventType = { const: type }
    const cursor = { type: 'string' }
    return typeOf({ ...schema, properties: { ...schema.properties, eventType, cursor } })
  })
  const page = '@phpstan-type CallPage array{data: list<CallRecord>, meta: PageMeta}'
  const lines = [...shapes, page, `@phpstan-type WebhookEvent ${events.join('|')}`]
  return `<?php

declare(strict_types=1);

namespace Ramal;

/**
 * Written by \`npm run api-types\` from the description of the API. Not to be edited: a test compares it.
 * Use: @phpstan-import-type CallRecord from \\Ramal\\Types
 *
${lines.map((line) => ` * ${line}\n`).join('')} */
interface Types
{
}
`
}

function typeOf(schema: AnySchema): string {
  if (schema.$ref) return nameOfRef(schema)
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices) return choices.map((value) => JSON.stringify(value).replaceAll('"', "'")).join('|')
  const several = schema.anyOf ?? schema.oneOf
  if (several) return unionOf(several.map(typeOf))
  return unionOf([schema.type ?? 'unknown'].flat().map((kind) => typeOfKind(kind, schema)))
}

function typeOfKind(kind: string, schema: AnySchema): string {
  if (kind === 'array') return `list<${typeOf(schema.items ?? {})}>`
  if (kind === 'object') return shapeOf(schema)
  const simple: Record<string, string> = {
    string: 'string',
    integer: 'int',
    number: 'int|float',
    boolean: 'bool',
    null: 'null',
  }
  return simple[kind] ?? 'mixed'
}

function shapeOf({ properties = {}, required = [] }: AnySchema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return fields.length === 0 ? 'array<string, mixed>' : `array{${fields.join(', ')}}`
}

const unionOf = (types: string[]) => [...new Set(types)].join('|')
