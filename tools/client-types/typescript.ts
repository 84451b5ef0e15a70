/** The types of an OpenAPI document: its schemas, and every route with its parameters, body and answers. */
import type { ApiDocument, Operation, Parameter, Schema } from '../../src/http/reference/document.ts'

/** Parts of a schema that the document's own type does not list. */
export type AnySchema = Schema & {
  additionalProperties?: AnySchema | boolean
  allOf?: AnySchema[]
  oneOf?: AnySchema[]
}

const heading = `/** Written by \`npm run api-types\` from the description of the API. Not to be edited: a test compares it. */
`

export function describeTypes(document: ApiDocument): string {
  const { schemas } = document.components
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(
      ([method, operation]) => `    ${method}: ${typeOfOperation(document, operation)}`,
    )
    return `  ${quoted(path)}: {\n${operations.join('\n')}\n  }`
  })
  const routes = `export type paths = {\n${paths.join('\n')}\n}\n`
  return indented(`${heading}${types.sort().join('')}\n${routes}\n${describeWebhooks(document)}`)
}

/** The body of each type of event. */
function describeWebhooks({ webhooks }: ApiDocument): string {
  const bodies = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema
    return `  ${quoted(type)}: ${typeOf(schema ?? {})}`
  })
  return `export type webhooks = {\n${bodies.join('\n')}\n}\n`
}

function typeOfOperation(
  document: ApiDocument,
  { parameters = [], requestBody, responses }: Operation,
): string {
  const resolved = parameters.map((one) => resolveParameter(document, one))
  const places = ['path', 'query', 'header'] as const
  const groups = places.flatMap((place) => {
    // Headers are optional, and set by the client where it wants them.
    const found = resolved.filter((one) => one.in === place && place !== 'header')
    if (found.length === 0) return []
    const isRequired = found.some(({ required }) => required)
    const fields = found.map(
      ({ name, required, schema }) => `${quoted(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
    )
    return [`${place}${isRequired ? '' : '?'}: { ${fields.join('; ')} }`]
  })
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return [
    '{',
    `      parameters: { ${groups.join('; ')} }`,
    ...(requestBody
      ? [
          `      requestBody${requestBody.required ? '' : '?'}: { content: ${contentOf(requestBody.content)} }`,
        ]
      : []),
    `      responses: { ${[
      ...answers.map(([status, { content }]) => `${status}: { content: ${contentOf(content)} }`),
      "default: { content: { 'application/json': Error } }",
    ].join('; ')} }`,
    '    }',
  ].join('\n')
}

function contentOf(content: Record<string, { schema?: Schema }> | undefined): string {
  // The console reads lists as JSON; as files it only links to them.
  const json = content?.['application/json']
  const read = json ? { 'application/json': json } : (content ?? {})
  const entries = Object.entries(read).map(
    ([type, { schema }]) => `${quoted(type)}: ${schema ? typeOf(schema) : 'unknown'}`,
  )
  return entries.length === 0 ? '{ [type: string]: never }' : `{ ${entries.join('; ')} }`
}

function resolveParameter({ components }: ApiDocument, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  const found = name === undefined ? parameter : components.parameters[name]
  if (!found) throw new Error(`no parameter ${name}`)
  return found
}

function typeOf(schema: AnySchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'")
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(grouped))].join(' | ')
  if (schema.allOf) return schema.allOf.map(grouped).join(' & ')
  const kinds = [schema.type ?? (schema.properties ? 'object' : 'unknown')].flat()
  return [...new Set(kinds.map((kind) => typeOfKind(kind, schema)))].join(' | ')
}

function typeOfKind(kind: string, schema: AnySchema): string {
  if (kind === 'integer' || kind === 'number') return 'number'
  if (kind === 'array') return `${grouped(schema.items ?? {})}[]`
  if (kind === 'object') return typeOfObject(schema)
  return kind === 'string' || kind === 'boolean' || kind === 'null' ? kind : 'unknown'
}

function typeOfObject({ properties, required = [], additionalProperties }: AnySchema): string {
  if (!properties || Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
    return `Record<string, ${value}>`
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{\n${fields.join('\n')}\n}`
}

function grouped(schema: AnySchema): string {
  const text = typeOf(schema)
  return / [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text
}

/** Lines begin with two spaces for each brace that is open. */
function indented(text: string): string {
  let depth = 0
  return text
    .split('\n')
    .map((line) => {
      const bare = line.trim()
      const opened = bare.split('{').length - bare.split('}').length
      const own = depth - (bare.startsWith('}') ? 1 : 0)
      depth += opened
      return `${'  '.repeat(own)}${bare}`
    })
    .join('\n')
}

const quoted = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)
