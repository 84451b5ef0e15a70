/** The operations of a running service, read from the description that it gives of itself. */
import type { ApiDocument, Parameter, Schema } from '../../../src/http/reference/document.ts'
import { exampleOfBody } from '../../../test/helpers/description/api-description.ts'

export type Operation = {
  method: string
  /** As described, with parameters in braces. */
  path: string
  parameters: Parameter[]
  /** Schema of the body; undefined without one. */
  schema: Schema | undefined
  example: unknown
  /** How often it is chosen, compared with others: hashing a password takes as long as a hundred other requests. */
  weight: number
}

const maxDepth = 8
const hashesPassword = /signup|login|password|^\/users$/

export async function readOperations(apiUrl: string): Promise<Operation[]> {
  const response = await fetch(`${apiUrl}/openapi.json`)
  const document = (await response.json()) as ApiDocument
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((parameter) => resolveParameter(document, parameter)),
      schema: inline(document, requestBody?.content['application/json']?.schema, 0),
      example: exampleOfBody(document, requestBody?.content),
      weight: requestBody && hashesPassword.test(path) ? 0.1 : 1,
    })),
  )
}

function resolveParameter({ components }: ApiDocument, parameter: Parameter): Parameter {
  return (parameter.$ref && components.parameters[nameIn(parameter.$ref)]) || parameter
}

/** With the schemas that it refers to in place. */
function inline(document: ApiDocument, schema: Schema | undefined, depth: number): Schema | undefined {
  if (!schema || depth > maxDepth) return undefined
  if (schema.$ref) return inline(document, document.components.schemas[nameIn(schema.$ref)], depth + 1)
  const { properties, items, anyOf, ...rest } = schema
  const part = (one: Schema | undefined) => inline(document, one, depth + 1) ?? {}
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, part(one)])),
    }),
    ...(items && { items: part(items) }),
    ...(anyOf && { anyOf: anyOf.map(part) }),
  }
}

const nameIn = (reference: string) => reference.split('/').at(-1) ?? ''
