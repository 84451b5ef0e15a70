/** Reads the OpenAPI description as its users do. */
import Schema from 'typebox/schema'
import type { ApiDocument, Content } from '../../../src/http/reference/document.ts'

/** What is wrong with a value, as a schema of the document sees it. */
export function faultsOf({ components }: ApiDocument, schema: unknown, value: unknown): string[] {
  const [, errors] = Schema.Errors({ ...(schema as object), components }, value)
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The example of a JSON body, which may be a reference. */
export function exampleOfBody({ components }: ApiDocument, content: Content | undefined): unknown {
  const { example, examples } = content?.['application/json'] ?? {}
  const [name] = Object.keys(examples ?? {})
  return name === undefined ? example : components.examples[name]?.value
}
