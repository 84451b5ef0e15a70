/** An example of what a schema takes, put together from the examples of its parts. */
import type { TSchema } from 'typebox'

type Part = {
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  format?: string
  items?: Part
  properties?: Record<string, Part>
}

export function exampleOf(schema: TSchema): unknown {
  return example(schema as Part)
}

function example(part: Part): unknown {
  if (part.examples) return part.examples[0]
  if (part.const !== undefined) return part.const
  if (part.enum) return part.enum[0]
  switch (Array.isArray(part.type) ? part.type[0] : part.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(part.properties ?? {}).map(([name, inside]) => [name, example(inside)]),
      )
    case 'array':
      return part.items ? [example(part.items)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return part.format === 'uuid' ? '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' : 'text'
  }
}
