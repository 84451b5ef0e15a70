/** One route of the API as an operation of its description. */

import { type Limit, limits, windowSeconds } from '../../contract/limits.ts'
import type { TSchema } from '../../contract/schema/type.ts'
import { defined } from '../../kit/defined.ts'
import { rolesWith } from '../../users/permissions.ts'
import { scopesIn } from '../../users/scopes.ts'
import type { AnyEntry, QueryParameter } from '../entry.ts'
import { csvLine } from '../export.ts'
import type { Content, Json, Operation, Parameter, Response, Schema } from './document.ts'
import { errorsOf } from './error-responses.ts'
import { exampleOf } from './examples/example.ts'
import { type Schemas, withWholeRecords } from './schemas.ts'

export function describeOperation(entry: AnyEntry, schemas: Schemas): Operation {
  const parameters = [...pathParameters(entry), ...queryParameters(entry), ...headerParameters(entry)]
  return {
    operationId: operationId(entry),
    summary: entry.about,
    description: describe(entry) || undefined,
    tags: [entry.tag],
    deprecated: entry.deprecated && true,
    security: security(entry),
    'x-scopes': scopesOf(entry),
    parameters: parameters.length > 0 ? parameters : undefined,
    ...(entry.body && {
      requestBody: { required: !entry.bodyOptional, content: schemas.json(entry.body) },
    }),
    responses: { ...success(entry, schemas), ...errorsOf(entry) },
  }
}

const describe = (entry: AnyEntry) =>
  [entry.notes, access(entry), limit(entry)].filter((sentence) => sentence).join(' ')

function access(entry: AnyEntry): string {
  const isForAll = entry.may === 'anyone' || rolesWith(entry.may).includes('USER')
  const scopes = scopesOf(entry)?.map((name) => `\`${name}\``) ?? []
  return [isForAll ? '' : 'For ADMINs only.', scopes.length > 0 ? `Scope: ${scopes.join(' or ')}.` : '']
    .filter((sentence) => sentence)
    .join(' ')
}

/** The limit of most routes is stated once, for the whole API. */
function limit(entry: AnyEntry): string {
  if (entry.limit === 'other') return ''
  const { max, by }: Limit = limits[entry.limit]
  return `At most ${max} requests in ${windowSeconds} seconds by ${by}.`
}

/** Nothing where the token of any user is required, as the whole API says. */
function security({ may, tokenOptional }: AnyEntry): Operation['security'] {
  if (may === 'anyone') return tokenOptional ? [{}, { token: [] }] : []
  const roles = rolesWith(may)
  return roles.includes('USER') ? undefined : [{ token: roles }]
}

function scopesOf({ scope = 'any' }: AnyEntry): Operation['x-scopes'] {
  const scopes = scopesIn(scope)
  return scopes.length > 0 ? scopes : undefined
}

/** POST /users/accessTokens is postUsersAccessTokens. */
function operationId({ method, path }: AnyEntry): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** A parameter is described by the property of the same name in the body or the reply, if there is one. */
function pathParameters({ path, params = {}, reply, body }: AnyEntry): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const records = [reply, body] as ({ properties?: Record<string, TSchema> } | undefined)[]
    const property = records.map((record) => record?.properties?.[name]).find(Boolean)
    const example = params[name] ?? (property ? exampleOf(property) : 1)
    return { name, in: 'path', required: true, schema: { type: 'string' }, example: String(example) }
  })
}

function queryParameters({ query = {} }: AnyEntry): Parameter[] {
  return Object.entries(query).map(([name, parameter]) => {
    const described: QueryParameter = typeof parameter === 'string' ? { about: parameter } : parameter
    const { about, example, required } = described
    const schema = typeof example === 'number' ? { type: 'integer', minimum: 1 } : { type: 'string' }
    return {
      name,
      in: 'query',
      description: about,
      ...(required && { required }),
      schema,
      ...defined({ example }),
    }
  })
}

function headerParameters({ idempotent, headers = {} }: AnyEntry): Parameter[] {
  const own = Object.entries(headers).map(([name, { about, example }]): Parameter => {
    return { name, in: 'header', description: about, schema: { type: 'string' }, example }
  })
  const key = { $ref: '#/components/parameters/IdempotencyKey' } as Parameter
  return idempotent ? [...own, key] : own
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text of yours. The same request sent again with the same key within 24 hours does nothing twice and is ' +
    'answered as the first one was.',
  schema: { type: 'string', maxLength: 255 },
  example: 'order-4711',
}

/** D301: what `format` asks for in place of JSON. The columns of a list with a filter are the fields that its records always have. */
function exported(entry: AnyEntry): Content {
  const { data } = (entry.reply as Schema | undefined)?.properties ?? {}
  const record = withWholeRecords(data?.items ?? {}) as Schema
  const { required = [] } = record
  const whole = Object.entries(exampleOf(record as TSchema) as Json)
  const row = Object.fromEntries(whole.filter(([name]) => required.includes(name)))
  const columns = entry.query?.filter ? [...required, ...(entry.moreColumns ?? [])] : []
  const cells = whole.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  const csv = `${columns.join(',')}\r\n${csvLine(Object.fromEntries(cells), columns)}\r\n`
  const schema = { type: 'string' }
  return {
    'text/csv': { schema, ...(columns.length > 0 && { example: csv }) },
    'application/x-ndjson': { schema, example: `${JSON.stringify(row)}\n` },
  }
}

function success(entry: AnyEntry, schemas: Schemas): Record<string, Response> {
  const example = defined({ example: entry.mediaExample })
  const types = [entry.media ?? 'text/html'].flat()
  const file = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' }, ...example }]))
  const json = entry.reply ? schemas.json(entry.reply) : file
  const content = entry.query?.format && entry.reply ? { ...json, ...exported(entry) } : json
  const hasBody = entry.method !== 'HEAD' && entry.status !== 204
  const body = hasBody ? { content } : {}
  const part = { 206: { description: 'The part that Range asks for', ...body } }
  return {
    [entry.status ?? 200]: { description: 'OK', ...body },
    ...(types[0]?.startsWith('audio/') && part),
  }
}
