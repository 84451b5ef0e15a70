/** What a client of an older API description would notice in a newer one, as sentences; none if nothing breaks. */
import type {
  ApiDocument,
  Json,
  Operation,
  Parameter,
  PathItem,
  Response,
} from '../../src/http/reference/document.ts'
import { type Comparison, findSchemaChanges } from './schema-changes.ts'

export function findApiChanges(was: ApiDocument, is: ApiDocument): string[] {
  const comparison: Comparison = { was, is, seen: new Set() }
  const records = Object.keys(was.components.schemas).filter((name) => !is.components.schemas[name])
  return [
    ...records.map((name) => `the record ${name} is gone, by which types of clients are named`),
    ...eachOperation(was.paths, is.paths, operationChanges, (method, path) => `${method} ${path}`),
    ...eachOperation(was.webhooks, is.webhooks, webhookChanges, (_method, type) => `webhook ${type}`),
  ]

  function eachOperation(olds: Items, news: Items, compare: Compare, nameOf: NameOf): string[] {
    return Object.entries(olds).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, old]) => {
        const name = nameOf(method.toUpperCase(), path)
        const now = news[path]?.[method]
        return now ? compare(comparison, name, old, now) : [`${name} is gone`]
      }),
    )
  }
}

type Items = Record<string, PathItem>
type Compare = (comparison: Comparison, name: string, was: Operation, is: Operation) => string[]
type NameOf = (method: string, path: string) => string

function operationChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  const renamed =
    was.operationId === is.operationId ? [] : [`${name} has lost the operationId ${was.operationId}`]
  return [
    ...renamed,
    ...accessChanges(comparison, name, was, is),
    ...parameterChanges(comparison, name, was, is),
    ...bodyChanges(comparison, name, was, is),
    ...answerChanges(comparison, name, was, is),
    ...codeChanges(comparison, name, was, is),
  ]
}

/** Who may send it: without a token, as a USER, with a token of certain scopes. */
function accessChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  const [before, after] = [was.security ?? comparison.was.security, is.security ?? comparison.is.security]
  const isOpen = (security: Json[]) =>
    security.length === 0 || security.some((one) => Object.keys(one).length === 0)
  const roles = (security: Json[]) => security.flatMap((one) => Object.values(one).flat())
  const added = roles(after).filter((role) => !roles(before).includes(role))
  const [enough, needed] = [was['x-scopes'], is['x-scopes']]
  const lost = needed && enough?.filter((scope) => !needed.includes(scope))
  return [
    ...(isOpen(before) && !isOpen(after) ? [`${name} now needs a token`] : []),
    ...added.map((role) => `${name} is now for the role ${role} only`),
    ...(needed && !enough ? [`${name} now needs a scope of a limited token: ${needed.join(' or ')}`] : []),
    ...(lost ?? []).map((scope) => `${name} can no longer be sent with the scope ${scope}`),
  ]
}

function resolved({ components }: ApiDocument, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((one) =>
    one.$ref === undefined ? one : (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one),
  )
}

function parameterChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  const [olds, news] = [resolved(comparison.was, was), resolved(comparison.is, is)]
  const same = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in
  const changed = olds.flatMap((old) => {
    const now = news.find(same(old))
    const path = `${name}: the parameter ${old.name}`
    if (!now) return [`${path} is gone`]
    const required = now.required && !old.required ? [`${path} must now be sent`] : []
    const pair = { was: old.schema, is: now.schema, path, direction: 'sent' as const }
    return [...required, ...findSchemaChanges(comparison, pair)]
  })
  const added = news.filter((now) => now.required && !olds.some(same(now)))
  return [...changed, ...added.map((now) => `${name}: the parameter ${now.name} is new and must be sent`)]
}

function bodyChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  const [old, now] = [was.requestBody, is.requestBody]
  if (!old) return now?.required ? [`${name} now needs a body`] : []
  if (!now) return [`${name} no longer takes a body`]
  const required = now.required && !old.required ? [`${name} now needs its body`] : []
  const parts = Object.entries(old.content).flatMap(([media, { schema }]) => {
    const other = now.content[media]
    if (!other) return [`${name} no longer takes ${media}`]
    const path = `${name}: the body`
    return findSchemaChanges(comparison, { was: schema, is: other.schema, path, direction: 'sent' })
  })
  return [...required, ...parts]
}

const isSuccess = (status: string) => status.startsWith('2')

/** Errors may come and go, but not change their shape. */
function answerChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  return Object.entries(was.responses).flatMap(([status, old]) => {
    const now = is.responses[status]
    if (!now) return isSuccess(status) ? [`${name} no longer answers ${status}`] : []
    const [before, after] = [answerOf(comparison.was, old), answerOf(comparison.is, now)]
    return Object.entries(before.content ?? {}).flatMap(([media, { schema }]) => {
      const other = after.content?.[media]
      if (!other) return [`${name} no longer answers ${status} with ${media}`]
      const path = `${name}: the answer ${status}`
      return findSchemaChanges(comparison, { was: schema, is: other.schema, path, direction: 'received' })
    })
  })
}

function answerOf({ components }: ApiDocument, response: Response): Response {
  const shared = components.responses[response.$ref?.split('/').at(-1) ?? '']
  return { ...shared, ...response }
}

/** A code keeps its status on every operation that answers it. */
function codeChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  const [before, after] = [codesOf(comparison.was, was), codesOf(comparison.is, is)]
  return [...before].flatMap(([code, status]) => {
    const now = after.get(code)
    return now === undefined || now === status
      ? []
      : [`${name} answers ${code} with ${now}, and did with ${status}`]
  })
}

/** `default` is no status. */
function codesOf(
  document: ApiDocument,
  { responses: { default: _, ...responses } }: Operation,
): Map<string, string> {
  const codes = Object.entries(responses).flatMap(([status, response]) =>
    [...(answerOf(document, response).description ?? '').matchAll(/`([A-Z_]+)`/g)].map(
      ([, code = '']) => [code, status] as const,
    ),
  )
  return new Map(codes)
}

function webhookChanges(comparison: Comparison, name: string, was: Operation, is: Operation): string[] {
  const sent = resolved(comparison.is, is).map((parameter) => parameter.name)
  const lost = resolved(comparison.was, was).filter((parameter) => !sent.includes(parameter.name))
  const [old, now] = [was.requestBody?.content, is.requestBody?.content]
  const body = findSchemaChanges(comparison, {
    was: old?.['application/json']?.schema ?? {},
    is: now?.['application/json']?.schema ?? {},
    path: `${name}: the body`,
    direction: 'received',
  })
  return [...lost.map((header) => `${name}: the header ${header.name} is gone`), ...body]
}
