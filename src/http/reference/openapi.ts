/** The API's description, OpenAPI 3.1, made from the very schemas that validate. */
import type { TSchema } from 'typebox'
import { ErrorBody } from '../../contract/common.ts'
import { describeError, type ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type AnyEntry, basePath, tags } from '../entry.ts'
import { exampleOf } from './openapi-example.ts'

/** What can go wrong on any route, on any with a body, and on any that wants a token. */
const everywhere: ErrorCode[] = [
  'INVALID_PARAMETER_VALUE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]
const withBody: ErrorCode[] = [
  'MALFORMED_BODY',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
]
const withToken: ErrorCode[] = ['AUTHORIZATION_REQUIRED', 'INVALID_TOKEN', 'ACCESS_DENIED']
const idempotent: ErrorCode[] = ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED']

type Json = Record<string, unknown>

export function describeApi(
  entries: AnyEntry[],
  { version, publicUrl }: { version: string; publicUrl: string },
) {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const entry of entries) {
    const path = entry.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operation(entry, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ramal',
      version,
      description:
        'Voice calls and the prepaid account behind them. Send your access token in the Authorization header.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${basePath}` }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components,
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      headers: rateHeaders,
    },
  }
}

function operation(entry: AnyEntry, components: Json): Json {
  const limit = limits[entry.limit]
  return {
    operationId: operationId(entry),
    summary: entry.about,
    description: `At most ${limit.max} requests a minute by ${limit.by}.`,
    tags: [entry.tag],
    ...(entry.deprecated && { deprecated: true }),
    security: security(entry),
    ...parameters(entry),
    ...(entry.body && {
      requestBody: { required: !entry.bodyOptional, content: json(entry.body, components) },
    }),
    responses: { ...success(entry, components), ...failures(entry, components) },
  }
}

function security({ may, tokenOptional }: AnyEntry): Json[] {
  if (may !== 'anyone') return [{ token: [] }]
  return tokenOptional ? [{}, { token: [] }] : []
}

/** POST /users/accessTokens is postUsersAccessTokens. */
function operationId({ method, path }: AnyEntry): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function parameters(entry: AnyEntry): Json {
  const inPath = [...entry.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(entry.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    required: name === 'page' || name === 'token',
    schema: name === 'page' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Sending the same request again with the same key does nothing twice (D18)',
    schema: { type: 'string', maxLength: 255 },
  }
  const all = [...inPath, ...inQuery, ...(entry.idempotent ? [key] : [])]
  return all.length > 0 ? { parameters: all } : {}
}

const rateHeaders = {
  'RateLimit-Limit': { description: 'Most requests in the window', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window ends', schema: { type: 'integer' } },
}
const headers = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

function success(entry: AnyEntry, components: Json): Json {
  const file = { [entry.media ?? 'text/html']: { schema: { type: 'string' } } }
  const content = entry.reply ? json(entry.reply, components) : file
  const body = entry.method === 'HEAD' ? {} : { content }
  const part = { 206: { description: 'The part that Range asks for', headers, ...body } }
  return { [entry.status ?? 200]: { description: 'Success', headers, ...body }, ...(entry.media && part) }
}

function failures(entry: AnyEntry, components: Json): Json {
  const codes = new Set<ErrorCode>([
    ...everywhere,
    ...(entry.body ? withBody : []),
    ...(entry.may === 'anyone' ? [] : withToken),
    ...(entry.idempotent ? idempotent : []),
    ...(entry.errors ?? []),
  ])
  const schema = reference(ErrorBody, components)
  const byStatus: Record<string, Json> = {}
  for (const code of codes) {
    const { statusCode, name, message } = describeError(code)
    const example = { value: { error: { statusCode, name, message, code, errorCode: code } } }
    const sofar = byStatus[statusCode] ?? {}
    byStatus[statusCode] = { ...sofar, [code]: example }
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, examples]) => [
      status,
      {
        description: Object.keys(examples).join(', '),
        headers,
        ...(entry.method !== 'HEAD' && { content: { 'application/json': { schema, examples } } }),
      },
    ]),
  )
}

function json(schema: TSchema, components: Json): Json {
  return { 'application/json': { schema: reference(schema, components), example: exampleOf(schema) } }
}

/** A schema with a name is written once, among the components. */
function reference(schema: TSchema, components: Json): unknown {
  return hoist(JSON.parse(JSON.stringify(schema)), components)
}

function hoist(part: unknown, components: Json): unknown {
  if (Array.isArray(part)) return part.map((item) => hoist(item, components))
  if (part === null || typeof part !== 'object') return part
  const { $id, ...rest } = part as Json
  const inside = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, hoist(value, components)]),
  )
  if (typeof $id !== 'string') return inside
  components[$id] = inside
  return { $ref: `#/components/schemas/${$id}` }
}
