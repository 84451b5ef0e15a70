/** The error body (D100), and which refusal an error of the framework or the database becomes. */
import type { FastifyError } from 'fastify'
import { type ErrorDetails, Refusal, refuse, refuseParameter } from '../../../contract/errors.ts'
import type { Language, Translated } from '../../../kit/text/language.ts'
import { isCallerGone, isTooComplexRegexp, isTransient } from '../../../store/connection/database-errors.ts'
import { type BodyRules, refuseInvalid, type SentBody } from '../body/invalid-body.ts'
import { messageIn } from './response-language.ts'

const largeRegexp: Translated<string> = {
  en: 'has a regular expression that is too large: repeat less',
  pt: 'tem uma expressão regular grande demais: repita menos',
}

export function errorBody({ statusCode, name, texts, code, details }: Refusal, language: Language) {
  return {
    error: {
      statusCode,
      name,
      ...messageIn(texts, language),
      code,
      errorCode: code,
      ...(details && { details: detailsIn(details, language) }),
    },
  }
}

function detailsIn(details: Translated<ErrorDetails>, language: Language) {
  const localized = details[language]
  if (language === 'en' || !('messages' in localized)) return details.en
  return { ...details.en, localizedMessages: localized.messages }
}

/** The refusal that an error stands for; undefined if it is a fault of ours, to be logged and answered 500. */
export function asRefusal(
  error: unknown,
  rules: BodyRules | undefined,
  sent: SentBody = {},
): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isCallerGone(error)) return refuse('INVALID_TOKEN', { cause: error })
  if (isTooComplexRegexp(error)) return refuseParameter('where', largeRegexp)
  if (isTransient(error)) return refuse('SERVICE_UNAVAILABLE', { retryAfter: 2, cause: error })
  if (!isFastifyError(error)) return undefined
  if (error.validation) return refuseInvalid(error.validation, rules, sent)
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
