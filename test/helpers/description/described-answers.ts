/** D539: every answer that a test gets from the API is compared with what the description says of its operation. */
import Schema from 'typebox/schema'
import { basePath } from '../../../src/http/entry.ts'
import type { ApiDocument, Operation, Response } from '../../../src/http/reference/document.ts'

type Known = { name: string; method: string; pattern: RegExp; operation: Operation }
type Described = { document: ApiDocument; operations: Known[] }

/** `isForPeople`: browsers and forms are answered with pages. */
export type Sent = { method: string; path: string; isForPeople: boolean }
export type Received = { status: number; type: string; body: unknown }

/** The API is the same for all services of a process, except the routes that a test adds. */
let described: Promise<Described> | undefined

/** Throws for an answer that is not described. `url`: of a service that counts no requests. */
export function createAnswerCheck(url: string) {
  return async (sent: Sent, received: Received): Promise<void> => {
    described ??= load(url)
    const faults = answerFaults(await described, sent, received)
    if (faults.length > 0) {
      const request = `${sent.method} ${sent.path} answered ${received.status}`
      throw new Error(`${request}, not as described: ${faults.join('; ')}\n${JSON.stringify(received.body)}`)
    }
  }
}

async function load(url: string): Promise<Described> {
  const document = (await (await fetch(`${url}${basePath}/openapi.json`)).json()) as ApiDocument
  return describeAnswers(document)
}

export function describeAnswers(document: ApiDocument): Described {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      // The router takes any case of letters.
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
      operation,
    })),
  )
  // `/calls/stats` is no call.
  const parameters = ({ name }: Known) => name.split('{').length
  return { document, operations: operations.sort((a, b) => parameters(a) - parameters(b)) }
}

/** `/calls/hangup` is no id of `/calls/{id}`, also with a method that it does not have. */
export function findOperation({ operations }: Described, method: string, path: string): Known | undefined {
  const [route = ''] = path.split('?', 1)
  const [closest] = operations.filter(({ pattern }) => pattern.test(route))
  const same = operations.filter(({ pattern }) => pattern.source === closest?.pattern.source)
  const find = (wanted: string) => same.find((one) => one.method === wanted)
  return find(method) ?? (method === 'HEAD' ? find('GET') : undefined)
}

export function answerFaults(
  all: Described,
  { method, path, isForPeople }: Sent,
  received: Received,
): string[] {
  const { operation } = findOperation(all, method, path) ?? {}
  if (!operation) return []
  const { status, type, body } = received
  const isError = status >= 400
  const own = operation.responses[status] ?? (isError ? operation.responses.default : undefined)
  if (!own) return status === 304 ? [] : [`the status ${status} is not listed`]
  if (isError && type === 'text/html' && isForPeople) return []
  const response = resolved(all.document, own)
  if (method === 'HEAD' || (body === '' && !response.content)) return []
  const found = Object.entries(response.content ?? {}).find(([media]) => media.split(';')[0] === type)
  if (!found) return [`the media type ${type} is not listed`]
  if (type !== 'application/json' || isProjection(path)) return []
  const [, { schema }] = found
  return [
    ...(isError ? codeFaults(all.document, operation, status, body) : []),
    ...schemaFaults(all, schema, body),
  ]
}

function resolved({ components }: ApiDocument, response: Response): Response {
  return { ...components.responses[response.$ref?.split('/').at(-1) ?? ''], ...response }
}

/** D167: `filter.fields` leaves out fields that are described. */
const isProjection = (path: string) => {
  const { searchParams } = new URL(path, 'http://localhost')
  return /"fields"|"include"/.test(searchParams.get('filter') ?? '') || searchParams.has('include')
}

function codeFaults(
  document: ApiDocument,
  { responses }: Operation,
  status: number,
  body: unknown,
): string[] {
  const listed = [responses[status], responses.default].flatMap((response) =>
    response ? (resolved(document, response).description.match(/(?<=`)\w+(?=`)/g) ?? []) : [],
  )
  const { code = '' } = (body as { error?: { code?: string } }).error ?? {}
  return listed.includes(code) ? [] : [`the code ${code} is not listed`]
}

const validators = new WeakMap<object, ReturnType<typeof Schema.Compile>>()

function schemaFaults({ document: { components } }: Described, schema: object, value: unknown): string[] {
  const validator = validators.get(schema) ?? Schema.Compile({ ...schema, components })
  validators.set(schema, validator)
  if (validator.Check(value)) return []
  return validator.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`)
}
