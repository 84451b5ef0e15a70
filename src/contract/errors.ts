/** Refusals: code throws `refuse('EMAIL_TAKEN')`, and the HTTP server writes the body in the client's language. */
import { inEveryLanguage, type Language, type Translated } from '../kit/text/language.ts'
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'

export type { ErrorCode } from './error-catalogue.ts'

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[]

/** Problems by field, in the shape LoopBack clients read (D101). */
export type FieldProblems = Record<string, FieldProblem[]>

/** The message continues a sentence that begins with the field's name. */
export type FieldProblem = { code: string; message: Translated<string> }

/** Field problems that several resources share; D75 uses `taken` for an extension's number. */
export const problem = {
  taken: { code: 'uniqueness', message: { en: 'already exists', pt: 'já existe' } },
  missing: { code: 'presence', message: { en: 'is required', pt: 'é obrigatório' } },
  blank: { code: 'presence', message: { en: 'must not be blank', pt: 'não pode ficar em branco' } },
  noEmail: {
    code: 'format',
    message: { en: 'must be an e-mail address', pt: 'deve ser um endereço de e-mail' },
  },
  noPhone: {
    code: 'format',
    message: {
      en: 'must be a valid phone number with area code',
      pt: 'deve ser um número de telefone válido, com DDD',
    },
  },
  unpriced: {
    code: 'exclusion',
    message: {
      en: 'is a number that has no price, and cannot be called',
      pt: 'é um número sem tarifa e não pode ser chamado',
    },
  },
  severalLines: {
    code: 'format',
    message: {
      en: 'must be one line of text without control characters',
      pt: 'deve ser uma única linha de texto, sem caracteres de controle',
    },
  },
  hasLink: {
    code: 'format',
    message: {
      en: 'must not contain the address of a web page',
      pt: 'não pode conter o endereço de uma página',
    },
  },
  passwordLength: {
    code: 'length',
    message: { en: 'must have 8 to 200 characters', pt: 'deve ter de 8 a 200 caracteres' },
  },
} as const satisfies Record<string, FieldProblem>

/** What a request is about, as `details.context` names it and as a message does. */
const resources = {
  AccessToken: { en: 'access token', pt: 'do token de acesso' },
  Account: { en: 'account', pt: 'da conta' },
  Call: { en: 'call', pt: 'da chamada' },
  Contact: { en: 'contact', pt: 'do contato' },
  Charge: { en: 'charge', pt: 'da cobrança' },
  Extension: { en: 'extension', pt: 'do ramal' },
  FinancialAccount: { en: 'financial account', pt: 'da conta financeira' },
  Incident: { en: 'incident', pt: 'do incidente' },
  Integration: { en: 'integration', pt: 'da integração' },
  Login: { en: 'login', pt: 'do login' },
  Operator: { en: 'operator', pt: 'do operador' },
  PhoneNumber: { en: 'number', pt: 'do número' },
  Rate: { en: 'import of rates', pt: 'da importação de tarifas' },
  /** For a route without a body. */
  Request: { en: 'request', pt: 'da requisição' },
  Trunk: { en: 'trunk', pt: 'do tronco' },
  User: { en: 'user', pt: 'do usuário' },
} as const satisfies Record<string, Translated<string>>

export type Resource = keyof typeof resources

/** A value outside a list of choices. */
export function notOneOf(choices: readonly unknown[]): FieldProblem {
  const list = choices.join(', ')
  return {
    code: 'inclusion',
    message: { en: `must be one of ${list}`, pt: `deve ser um destes valores: ${list}` },
  }
}

export type FieldDetails = {
  context: string
  codes: Record<string, string[]>
  messages: Record<string, string[]>
}

/** `callId`: of CALL_ALREADY_RINGING (D149). */
export type ErrorDetails = FieldDetails | { callId: string }

type Extra = {
  message?: Translated<string>
  details?: Translated<ErrorDetails>
  retryAfter?: number
  cause?: unknown
}

/** An error that is answered on purpose, with a code of the catalogue. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  /** The message in every language; `message` is the English one. */
  readonly texts: Translated<string>
  readonly details: Translated<ErrorDetails> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, extra: Extra) {
    const [statusCode, name, message] = errorCatalogue[code]
    const texts = extra.message ?? message
    // No stack trace: it is never read, and capturing it costs more than the rest of a 429.
    const frames = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(texts.en, extra.cause === undefined ? undefined : { cause: extra.cause })
    Error.stackTraceLimit = frames
    this.name = name
    this.code = code
    this.statusCode = statusCode
    this.texts = texts
    this.details = extra.details
    this.retryAfter = extra.retryAfter
  }
}

export function refuse(code: ErrorCode, extra: Extra = {}): Refusal {
  return new Refusal(code, extra)
}

/** A parameter (query, path, filter) that is not valid: 400, with its path in the message. */
export function refuseParameter(path: string, problem: Translated<string>): Refusal {
  const message = inEveryLanguage((language) => `${path}: ${problem[language]}`)
  return refuse('INVALID_PARAMETER_VALUE', { message })
}

/** Fields of a body that are not valid: 422, with details for each field. */
export function refuseFields(context: Resource, problems: FieldProblems): Refusal {
  return refuse('VALIDATION_FAILED', {
    message: inEveryLanguage(
      (language) => `${opening[language](resources[context][language])} ${listed(problems, language)}.`,
    ),
    details: fieldDetails(context, problems),
  })
}

const opening: Translated<(resource: string) => string> = {
  en: (resource) => `The ${resource} is not valid.`,
  pt: (resource) => `Os dados ${resource} não são válidos.`,
}

function listed(problems: FieldProblems, language: Language): string {
  return Object.entries(problems)
    .flatMap(([field, list]) => list.map(({ message }) => `\`${field}\` ${message[language]}`))
    .join('; ')
}

/** The details of problems, for a refusal with a code of its own. */
export function fieldDetails(context: Resource, problems: FieldProblems): Translated<FieldDetails> {
  const codes = pick(problems, ({ code }) => code)
  return inEveryLanguage((language) => ({
    context,
    codes,
    messages: pick(problems, ({ message }) => message[language]),
  }))
}

function pick(problems: FieldProblems, part: (problem: FieldProblem) => string) {
  return Object.fromEntries(Object.entries(problems).map(([field, list]) => [field, list.map(part)]))
}

/** Name, status and message of a code, for the API reference. */
export function describeError(code: ErrorCode) {
  const [statusCode, name, message] = errorCatalogue[code]
  return { statusCode, name, message: message.en }
}
