/** The text of an error for people; that of a refusal is in the language asked for, if there is one (D158). */
import {
  ApiError,
  NetworkError,
  RateLimitedError,
  ValidationError,
} from '../clients/typescript/src/errors.ts'
import { commonWords } from './words/common.ts'
import type { Language } from './words/translated.ts'

type FieldMessages = Record<string, string[]>
type FieldDetails = { messages?: FieldMessages; localizedMessages?: FieldMessages }

export function explainError(error: unknown, language: Language): string {
  const words = commonWords[language]
  if (error instanceof NetworkError) return words.noConnection
  if (error instanceof RateLimitedError) return words.tooMany
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : words.failed
  return error.errorCode === 'UNKNOWN' ? words.failed : (error.localizedReason ?? error.reason)
}

/** One sentence for each field that is wrong. */
export function fieldsOf(error: unknown): Record<string, string> {
  const details: FieldDetails = error instanceof ApiError ? error.details : {}
  const entries = Object.entries(details.localizedMessages ?? details.messages ?? {})
  return Object.fromEntries(entries.map(([field, messages]) => [field, messages.join(', ')]))
}

/** A field that the console itself finds wrong, as the service would refuse it. */
export function refuseField(field: string, problem: string): ValidationError {
  return new ValidationError({
    status: 422,
    errorCode: 'VALIDATION_FAILED',
    reason: problem,
    localizedReason: undefined,
    requestId: undefined,
    details: { messages: { [field]: [problem] } },
    retryAfter: undefined,
  })
}
