/** An example of what a schema takes, put together from the examples of its parts. */
import type { TSchema } from '../../../contract/schema/type.ts'
import type { Schema } from '../document.ts'

/** Undefined where neither the schema nor its parts have an example. */
export function exampleOf(schema: TSchema): unknown {
  return example(schema as Schema)
}

function example(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return example(schema.anyOf[0])
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectExample(schema)
    case 'array':
      return schema.items ? [example(schema.items)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return schema.format === 'uuid' ? '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' : undefined
  }
}

function objectExample({ properties = {} }: Schema): unknown {
  const parts = Object.entries(properties).map(([name, part]) => [name, example(part)] as const)
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
}
