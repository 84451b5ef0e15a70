/**
 * Fields of a body that the route does not take (D61). Those of the record itself pass, since clients send whole
 * records back; those that another route changes are refused; the rest is ignored and named in `Ignored-Fields`.
 * And objects that are left out by null or an empty list (D377).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FieldProblem, type FieldProblems, refuseFields } from '../../../contract/errors.ts'
import { aboutBody } from '../../../contract/schema/body.ts'
import type { AnyEntry } from '../../entry.ts'
import { resourceOf } from './invalid-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Problems of ignored fields, named if the body is refused for a missing one. */
    unknownFields: FieldProblems | undefined
  }
}

export const ignoredFieldsHeader = 'Ignored-Fields'

const maxNamed = 20
const maxNameLength = 64

/** Precomputed for a route: a request costs one look-up for each of its fields. */
export function createFieldCheck(entry: AnyEntry, strict: boolean) {
  const about = entry.body ? aboutBody(entry.body) : undefined
  const passing = new Set([...fieldsOf(entry.body), ...fieldsOf(about?.record)])
  const elsewhere = new Map(Object.entries(about?.elsewhere ?? {}))
  const objects = optionalObjects(entry.body)

  return function checkFields(request: FastifyRequest, reply: FastifyReply) {
    const { body } = request
    if (body === null || typeof body !== 'object' || Array.isArray(body)) return
    for (const object of objects) leaveOutEmpty(body as Record<string, unknown>, object)
    let ignored: string[] | undefined
    for (const name in body) {
      if (passing.has(name) && !elsewhere.has(name)) continue
      ignored ??= []
      ignored.push(name)
    }
    if (ignored) refuseOrName(ignored, request, reply)
  }

  function refuseOrName(ignored: string[], request: FastifyRequest, reply: FastifyReply) {
    const refused = strict ? ignored : ignored.filter((name) => elsewhere.has(name))
    if (refused.length > 0) throw refuseFields(resourceOf(entry), problemsOf(refused))
    request.unknownFields = problemsOf(ignored)
    reply.header(ignoredFieldsHeader, ignored.slice(0, maxNamed).map(inHeader).join(', '))
  }

  function problemsOf(names: string[]): FieldProblems {
    const problems: FieldProblems = Object.create(null)
    for (const name of names.slice(0, maxNamed)) {
      const route = elsewhere.get(name)
      problems[shortened(name)] = [route === undefined ? unknown : changedBy(route)]
    }
    return problems
  }
}

type BodySchema = { properties?: Record<string, { type?: unknown }>; required?: string[] }
type OptionalObject = { name: string; nullable: boolean }

function optionalObjects(schema: object | undefined): OptionalObject[] {
  const { properties = {}, required = [] } = (schema ?? {}) as BodySchema
  return Object.entries(properties).flatMap(([name, { type }]) => {
    const types = [type].flat()
    return types.includes('object') && !required.includes(name)
      ? [{ name, nullable: types.includes('null') }]
      : []
  })
}

/** D377: typed clients write null for what they do not set, and PHP writes an empty array as a list. */
function leaveOutEmpty(body: Record<string, unknown>, { name, nullable }: OptionalObject) {
  const given = body[name]
  if (given === null && !nullable) body[name] = undefined
  if (Array.isArray(given) && given.length === 0) body[name] = {}
}

/** The text of such an object; undefined where it is left out. */
export function objectText(text: string | undefined): string | undefined {
  if (text === 'null') return undefined
  return text === '[]' ? '{}' : text
}

const unknown: FieldProblem = {
  code: 'unknown',
  message: { en: 'is not a known field', pt: 'não é um campo conhecido' },
}

function changedBy(route: string): FieldProblem {
  return {
    code: 'exclusion',
    message: {
      en: `cannot be changed here; use ${route}`,
      pt: `não pode ser alterado aqui; use ${route}`,
    },
  }
}

function fieldsOf(schema: object | undefined): string[] {
  return schema && 'properties' in schema ? Object.keys(schema.properties as object) : []
}

const shortened = (name: string) => name.slice(0, maxNameLength).toWellFormed()

/** A name may have any character, a header may not. */
const inHeader = (name: string) => encodeURIComponent(shortened(name))
