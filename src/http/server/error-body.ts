/** The error body (D100), and which refusal an error of the framework or the database becomes. */
import type { FastifyError } from 'fastify'
import {
  type FieldProblems,
  problem,
  Refusal,
  refuse,
  refuseFields,
  refuseParameter,
} from '../../contract/errors.ts'
import { inEveryLanguage, type Language } from '../../kit/language.ts'
import { isCallerGone, isDatabaseDown } from '../../store/database-errors.ts'
import type { AnyEntry } from '../entry.ts'

export function errorBody({ statusCode, name, texts, code, details }: Refusal, language: Language) {
  return {
    error: {
      statusCode,
      name,
      message: texts[language],
      code,
      errorCode: code,
      ...(details && { details: details[language] }),
    },
  }
}

/** The refusal that an error stands for; undefined if it is a fault of ours, to be logged and answered 500. */
export function asRefusal(error: unknown, entry: AnyEntry | undefined): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isCallerGone(error)) return refuse('INVALID_TOKEN', { cause: error })
  if (isDatabaseDown(error)) return refuse('SERVICE_UNAVAILABLE', { retryAfter: 2, cause: error })
  if (!isFastifyError(error)) return undefined
  if (error.validation) return asInvalid(error, entry)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('BODY_TOO_LARGE')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('UNSUPPORTED_MEDIA_TYPE')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return refuse('MALFORMED_BODY', { cause: error })
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? refuse('MALFORMED_REQUEST', { cause: error })
        : undefined
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error
}

/** Codes for violated schema keywords; they are those that LoopBack clients know. */
const codes: Record<string, string> = {
  required: 'presence',
  minLength: 'length',
  maxLength: 'length',
  enum: 'inclusion',
  const: 'inclusion',
  format: 'format',
  pattern: 'format',
  minimum: 'numericality',
  maximum: 'numericality',
}

const notValid = { en: 'is not valid', pt: 'não é válido' }

function asInvalid(error: FastifyError, entry: AnyEntry | undefined): Refusal {
  const problems: FieldProblems = Object.create(null)
  for (const { keyword, instancePath, params, message = 'is not valid' } of error.validation ?? []) {
    const missing = keyword === 'required' ? `/${params.missingProperty}` : ''
    const field = `${instancePath}${missing}`.slice(1).replaceAll('/', '.') || 'body'
    const allowed = Array.isArray(params.allowedValues) ? ` (${params.allowedValues.join(', ')})` : ''
    const sentence = missing ? problem.missing.message : inEveryLanguage(() => `${message}${allowed}`)
    problems[field] = [...(problems[field] ?? []), { code: codes[keyword] ?? 'type', message: sentence }]
  }
  const fields = Object.keys(problems)
  if (error.validationContext !== 'body') return refuseParameter(fields.join(', '), notValid)
  return entry?.refuseBody?.(fields) ?? refuseFields(bodyName(entry), problems)
}

function bodyName(entry: AnyEntry | undefined): string {
  return entry?.body && '$id' in entry.body ? String(entry.body.$id) : 'body'
}
