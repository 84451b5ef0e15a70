/** A body that breaks its schema: which fields, with a code and what they expect in words (D101). */
import type { FastifyError } from 'fastify'
import {
  type FieldProblem,
  type FieldProblems,
  fieldDetails,
  problem,
  type Refusal,
  refuse,
  refuseFields,
} from '../../../contract/errors.ts'
import { aboutBody } from '../../../contract/schema/body.ts'
import type { TSchema } from '../../../contract/schema/type.ts'
import type { Translated } from '../../../kit/text/language.ts'
import type { AnyEntry } from '../../entry.ts'
import { expectationOf, partAt } from './expectation.ts'

type Violation = NonNullable<FastifyError['validation']>[number]

/** Codes for violated schema keywords; they are those that LoopBack clients know. */
const codes: Record<string, string> = {
  minLength: 'length',
  maxLength: 'length',
  enum: 'inclusion',
  const: 'inclusion',
  format: 'format',
  pattern: 'format',
  minimum: 'numericality',
  maximum: 'numericality',
}

const noObject = {
  code: 'type',
  message: { en: 'must be a JSON object', pt: 'deve ser um objeto JSON' },
}

const noBody: Translated<string> = {
  en: 'The request has no body: send a JSON object.',
  pt: 'A requisição veio sem corpo: envie um objeto JSON.',
}

const wrongBody: Translated<string> = {
  en: 'The body of the request must be a JSON object.',
  pt: 'O corpo da requisição deve ser um objeto JSON.',
}

/** What is known of the body of a route; of one beside the API, its schema alone. */
export type BodyRules = { body?: TSchema | undefined; refuseBody?: AnyEntry['refuseBody'] | undefined }

/** `body`: undefined if none was sent. `unknownFields`: of the body, which are ignored (D61). */
export type SentBody = { body?: unknown; unknownFields?: FieldProblems | undefined }

export function refuseInvalid(
  violations: Violation[],
  entry: BodyRules | undefined,
  { body, unknownFields = {} }: SentBody,
): Refusal {
  const problems: FieldProblems = Object.create(null)
  for (const violation of violations) {
    const { keyword, instancePath, params } = violation
    const missing = keyword === 'required' ? `/${params.missingProperty}` : ''
    const field = `${instancePath}${missing}`.slice(1).replaceAll('/', '.') || 'body'
    const found = problemOf(violation, entry)
    // One problem a field: the others say the same in other keywords. The most particular code is kept.
    if (!problems[field] || problems[field]?.[0]?.code === 'type') problems[field] = [found]
  }
  const own = entry?.refuseBody?.(Object.keys(problems))
  if (own) return own
  const resource = resourceOf(entry)
  if (problems.body?.[0] === noObject) {
    const message = body === undefined ? noBody : wrongBody
    return refuse('VALIDATION_FAILED', { message, details: fieldDetails(resource, problems) })
  }
  // A field may be missing because its name is spelled otherwise.
  const isMissing = violations.some(({ keyword }) => keyword === 'required')
  return refuseFields(resource, isMissing ? withUnknown(problems, unknownFields) : problems)
}

function withUnknown(problems: FieldProblems, unknownFields: FieldProblems): FieldProblems {
  for (const [name, found] of Object.entries(unknownFields)) problems[name] ??= found
  return problems
}

function problemOf({ keyword, instancePath }: Violation, entry: BodyRules | undefined): FieldProblem {
  if (keyword === 'required') return problem.missing
  const part = partAt(entry?.body, instancePath)
  if (instancePath === '' || !part) return noObject
  return { code: codes[keyword] ?? 'type', message: expectationOf(part) }
}

export function resourceOf(entry: BodyRules | undefined) {
  return (entry?.body && aboutBody(entry.body)?.resource) ?? 'Request'
}
