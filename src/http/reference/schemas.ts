/** Schemas of the contract as the API description has them: one with a name is written once, among the components. */

import { wholeRecord } from '../../contract/schema/common.ts'
import type { TSchema } from '../../contract/schema/type.ts'
import type { Content, Example, Media, Schema } from './document.ts'
import { exampleOf } from './examples/example.ts'

export type Schemas = ReturnType<typeof createSchemas>

export function createSchemas() {
  const named: Record<string, Schema> = {}
  /** Bodies of a schema with a name, by that name. */
  const bodies = new Map<string, Media[]>()

  /** Replaces schemas that have a name by references; examples are given with the bodies instead. */
  function describe(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(describe)
    if (schema === null || typeof schema !== 'object') return schema
    const { $id, ...rest } = whole(schema)
    const parts = Object.entries(rest).filter(([key, value]) => !(key === 'examples' && Array.isArray(value)))
    const described = Object.fromEntries(parts.map(([key, value]) => [key, describe(value)]))
    if (typeof $id !== 'string') return described
    named[$id] = described
    return { $ref: `#/components/schemas/${$id}` }
  }

  /** A JSON body with its example; one of a schema with a name is written once, too. */
  function json(schema: TSchema): Content {
    const value = exampleOf(withWholeRecords(schema) as TSchema)
    const name = '$id' in schema ? String(schema.$id) : undefined
    const media: Media = { schema: describe(schema) as Schema, example: value }
    if (name !== undefined) bodies.set(name, [...(bodies.get(name) ?? []), media])
    return { 'application/json': media }
  }

  /** Moves the examples that several bodies have to the components; these are returned. */
  function shareExamples(): Record<string, Example> {
    const shared = [...bodies].filter(([, media]) => media.length > 1)
    return Object.fromEntries(
      shared.map(([name, media]) => {
        const value = media[0]?.example
        for (const one of media) {
          delete one.example
          one.examples = { [name]: { $ref: `#/components/examples/${name}` } }
        }
        return [name, { value }]
      }),
    )
  }

  function jsonWith(schema: TSchema, example: unknown): Content {
    return { 'application/json': { schema: describe(schema) as Schema, example } }
  }

  return { named, shareExamples, json, jsonWith, reference: (schema: TSchema) => describe(schema) as Schema }
}

/** D167: lists allow absent fields where `filter.fields` asks for that; the description shows the whole record. */
function whole(schema: object): Record<string, unknown> {
  return (wholeRecord in schema ? schema[wholeRecord] : schema) as Record<string, unknown>
}

export function withWholeRecords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withWholeRecords)
  if (schema === null || typeof schema !== 'object') return schema
  const parts = Object.entries(whole(schema))
  return Object.fromEntries(parts.map(([key, value]) => [key, withWholeRecords(value)]))
}
