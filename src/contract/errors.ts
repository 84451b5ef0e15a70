/**
 * The catalogue of refusals (D100, D101): code, status, name and message, once each.
 * Code throws `refuse('EMAIL_TAKEN')`; the HTTP server writes the body.
 */
const catalogue = {
  INVALID_PARAMETER_VALUE: [400, 'BadRequestError', 'A parameter is not valid.'],
  MISSING_REQUIRED_PARAMETER: [400, 'BadRequestError', 'A required parameter is missing.'],
  MALFORMED_BODY: [400, 'BadRequestError', 'The body is not valid JSON.'],
  MALFORMED_REQUEST: [400, 'BadRequestError', 'The request could not be read.'],
  USERNAME_EMAIL_REQUIRED: [400, 'BadRequestError', 'email and password are required'],
  AUTHORIZATION_REQUIRED: [401, 'UnauthorizedError', 'Send the access token in the Authorization header.'],
  INVALID_TOKEN: [401, 'UnauthorizedError', 'The access token is unknown or has expired.'],
  LOGIN_FAILED: [401, 'UnauthorizedError', 'login failed'],
  LOGIN_FAILED_EMAIL_NOT_VERIFIED: [
    401,
    'UnauthorizedError',
    'login failed as the email has not been verified',
  ],
  INSUFFICIENT_CREDIT: [
    402,
    'PaymentRequiredError',
    'There is not enough credit for this call. Add some first.',
  ],
  ACCESS_DENIED: [403, 'ForbiddenError', 'Your role does not allow this.'],
  RECORDING_LINK_INVALID: [403, 'ForbiddenError', 'This link to a recording is not valid, or no longer.'],
  ROUTE_NOT_FOUND: [404, 'NotFoundError', 'There is no such route.'],
  USER_NOT_FOUND: [404, 'NotFoundError', 'There is no such user in this account.'],
  EXTENSION_NOT_FOUND: [404, 'NotFoundError', 'There is no such extension in this account.'],
  CALL_NOT_FOUND: [404, 'NotFoundError', 'There is no such call in this account.'],
  RECORDING_NOT_FOUND: [404, 'NotFoundError', 'There is no recording of such a call, not yet or no longer.'],
  INTEGRATION_NOT_FOUND: [404, 'NotFoundError', 'You have no such integration.'],
  DELIVERY_NOT_FOUND: [404, 'NotFoundError', 'The integration has no such delivery, or no longer.'],
  CHARGE_NOT_FOUND: [404, 'NotFoundError', 'There is no such charge in this account.'],
  TOKEN_NOT_FOUND: [404, 'NotFoundError', 'There is no such access token.'],
  CONFIRMATION_INVALID: [404, 'NotFoundError', 'The confirmation link is unknown, used or expired.'],
  LAST_ADMIN: [409, 'ConflictError', 'The last ADMIN of the account cannot be demoted.'],
  EXTENSION_NUMBERS_USED_UP: [409, 'ConflictError', 'The account has no free extension number left.'],
  INTEGRATION_LIMIT: [409, 'ConflictError', 'You have as many integrations as one user may have.'],
  WEBHOOK_OFF: [409, 'ConflictError', 'The integration has no webhook, or it is off.'],
  CHARGE_OPEN: [409, 'ConflictError', 'The account has an open charge. Pay or cancel it first.'],
  CHARGE_NOT_CANCELLABLE: [
    409,
    'ConflictError',
    'The charge is paid, or on its way to be, and cannot be cancelled.',
  ],
  FINANCIAL_LOCKED: [
    409,
    'ConflictError',
    'The tax id of an active financial account can only be changed by support.',
  ],
  IDEMPOTENCY_KEY_IN_USE: [409, 'ConflictError', 'A request with this Idempotency-Key is still running.'],
  BODY_TOO_LARGE: [413, 'PayloadTooLargeError', 'The body is larger than 1 MiB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'UnsupportedMediaTypeError', 'Send the body as application/json.'],
  RANGE_NOT_SATISFIABLE: [
    416,
    'RangeNotSatisfiableError',
    'The recording is shorter than the Range asks for.',
  ],
  VALIDATION_FAILED: [422, 'ValidationError', 'The request is not valid.'],
  EXTENSION_UNKNOWN: [422, 'UnprocessableEntityError', 'There is no such extension in this account.'],
  EXTENSION_NOT_REGISTERED: [422, 'UnprocessableEntityError', 'user not registered'],
  INTEGRATION_EXISTS: [422, 'ValidationError', 'User integration already exists, please send ID to update'],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'UnprocessableEntityError',
    'This Idempotency-Key was used with another body.',
  ],
  FINANCIAL_ACCOUNT_REQUIRED: [
    422,
    'UnprocessableEntityError',
    'Store the tax id of the account first: POST /accounts/financial.',
  ],
  PAYMENT_REFUSED: [424, 'FailedDependencyError', 'The payment gateway did not accept the charge.'],
  CALL_FAILED: [424, 'FailedDependencyError', 'the call has been failed'],
  RATE_LIMITED: [429, 'TooManyRequests', 'Too many requests. Wait for the seconds in RateLimit-Reset.'],
  INTERNAL_ERROR: [500, 'InternalServerError', 'Something went wrong on our side.'],
  PAYMENT_GATEWAY_DOWN: [
    503,
    'ServiceUnavailableError',
    'The payment gateway does not answer. Try again later.',
  ],
  SERVICE_UNAVAILABLE: [503, 'ServiceUnavailableError', 'A part of the service is busy or down. Try again.'],
} as const satisfies Record<string, readonly [status: number, name: string, message: string]>

export type ErrorCode = keyof typeof catalogue

/** Problems by field, in the shape LoopBack clients read (D101). */
export type FieldProblems = Record<string, FieldProblem[]>

type FieldProblem = { code: string; message: string }

/** Field problems that several resources share; D75 uses `taken` for an extension's number. */
export const problem = {
  taken: { code: 'uniqueness', message: 'already exists' },
  missing: { code: 'presence', message: 'is required' },
  blank: { code: 'presence', message: 'must not be blank' },
  noEmail: { code: 'format', message: 'must be an e-mail address' },
  noPhone: { code: 'format', message: 'must be a valid phone number with area code' },
} as const satisfies Record<string, FieldProblem>

export type ErrorDetails = {
  context: string
  codes: Record<string, string[]>
  messages: Record<string, string[]>
}

type Extra = {
  message?: string
  details?: ErrorDetails
  retryAfter?: number
  cause?: unknown
}

/** An error that is answered on purpose, with a code of the catalogue. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly statusCode: number
  readonly details: ErrorDetails | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, extra: Extra) {
    const [statusCode, name, message] = catalogue[code]
    // No stack trace: it is never read, and capturing it costs more than the rest of a 429.
    const frames = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(extra.message ?? message, extra.cause === undefined ? undefined : { cause: extra.cause })
    Error.stackTraceLimit = frames
    this.name = name
    this.code = code
    this.statusCode = statusCode
    this.details = extra.details
    this.retryAfter = extra.retryAfter
  }
}

export function refuse(code: ErrorCode, extra: Extra = {}): Refusal {
  return new Refusal(code, extra)
}

/** A parameter (query, path, filter) that is not valid: 400, with its path in the message. */
export function refuseParameter(path: string, problem: string): Refusal {
  return refuse('INVALID_PARAMETER_VALUE', { message: `${path}: ${problem}` })
}

/** Fields of a body that are not valid: 422, with details for each field. */
export function refuseFields(context: string, problems: FieldProblems): Refusal {
  const sentences = Object.entries(problems).flatMap(([field, list]) =>
    list.map((problem) => `\`${field}\` ${problem.message}`),
  )
  return refuse('VALIDATION_FAILED', {
    message: `The ${context} is not valid. ${sentences.join('; ')}.`,
    details: {
      context,
      codes: pick(problems, (problem) => problem.code),
      messages: pick(problems, (problem) => problem.message),
    },
  })
}

function pick(problems: FieldProblems, part: (problem: FieldProblem) => string) {
  return Object.fromEntries(Object.entries(problems).map(([field, list]) => [field, list.map(part)]))
}

/** Name, status and message of a code, for the API reference. */
export function describeError(code: ErrorCode) {
  const [statusCode, name, message] = catalogue[code]
  return { statusCode, name, message }
}
