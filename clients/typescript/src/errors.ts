/** Errors, by `errorCode` and status (D530). */

export class RamalError extends Error {
  override get name() {
    return this.constructor.name
  }
}

/** No answer came: connection refused, reset, name not found. Its text names the address, `cause` has the reason. */
export class NetworkError extends RamalError {}
export class RequestTimeoutError extends NetworkError {}

/** `reason` names the rule that the delivery breaks. */
export class WebhookVerificationError extends RamalError {
  readonly reason: 'body' | 'headers' | 'timestamp' | 'secret' | 'signature'

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export type Answer = {
  status: number
  /** Code of the error catalogue; `UNKNOWN` if the answer has none, as that of a proxy. */
  errorCode: string
  /** The sentence of the service. */
  reason: string
  /** In the language of `Accept-Language`, if that is not English. */
  localizedReason: string | undefined
  /** To name when you ask the operator. */
  requestId: string | undefined
  details: Record<string, unknown>
  /** Seconds that the service asks to wait. */
  retryAfter: number | undefined
}

/** The service, or a proxy before it, refused. */
export class ApiError extends RamalError implements Answer {
  declare readonly status: number
  declare readonly errorCode: string
  declare readonly reason: string
  declare readonly localizedReason: string | undefined
  declare readonly requestId: string | undefined
  declare readonly details: Record<string, unknown>
  declare readonly retryAfter: number | undefined

  constructor(answer: Answer) {
    const { reason, errorCode, requestId } = answer
    super(`${reason} (${errorCode}${requestId ? `, request ${requestId}` : ''})`)
    Object.assign(this, answer)
  }
}

export class BadRequestError extends ApiError {}
export class AuthenticationError extends ApiError {}
/** Log in again with `code`. */
export class SecondFactorRequiredError extends AuthenticationError {}
export class InsufficientCreditError extends ApiError {}
export class PermissionDeniedError extends ApiError {}
export class NotFoundError extends ApiError {}
export class CallEndedError extends NotFoundError {}
export class ConflictError extends ApiError {}
export class ChargeOpenError extends ConflictError {}
export class CallAlreadyRingingError extends ConflictError {
  /** The call that rings. */
  get callId(): string {
    return String(this.details.callId)
  }
}
export class ValidationError extends ApiError {
  /** Problems by field. */
  get fields(): Record<string, string[]> {
    return (this.details.messages ?? {}) as Record<string, string[]>
  }
}
export class ExtensionNotRegisteredError extends ValidationError {}
export class DestinationNotAllowedError extends ValidationError {}
export class CallFailedError extends ApiError {}
export class PaymentRefusedError extends ApiError {}
/** A limit of the account: calls at once, calls or spending in a day. */
export class LimitReachedError extends ApiError {}
/** Too many requests in this minute. */
export class RateLimitedError extends LimitReachedError {}
export class ServerError extends ApiError {}

type Class = new (answer: Answer) => ApiError

const byCode: Record<string, Class> = {
  SECOND_FACTOR_REQUIRED: SecondFactorRequiredError,
  INSUFFICIENT_CREDIT: InsufficientCreditError,
  CALL_ENDED: CallEndedError,
  CHARGE_OPEN: ChargeOpenError,
  CALL_ALREADY_RINGING: CallAlreadyRingingError,
  EXTENSION_NOT_REGISTERED: ExtensionNotRegisteredError,
  DESTINATION_NOT_ALLOWED: DestinationNotAllowedError,
  CALL_FAILED: CallFailedError,
  PAYMENT_REFUSED: PaymentRefusedError,
  RATE_LIMITED: RateLimitedError,
}

const byStatus: Record<number, Class> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: LimitReachedError,
}

/** The error for an answer other than 2xx, from its body. */
export function errorOf(status: number, headers: Headers, text: string): ApiError {
  const error = readError(text)
  const errorCode = typeof error.errorCode === 'string' ? error.errorCode : 'UNKNOWN'
  const Found = byCode[errorCode] ?? byStatus[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Found({
    status,
    errorCode,
    reason: typeof error.message === 'string' ? error.message : `The answer was ${status}.`,
    localizedReason: typeof error.localizedMessage === 'string' ? error.localizedMessage : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    details: (error.details ?? {}) as Record<string, unknown>,
    retryAfter: secondsToWait(status, headers),
  })
}

function readError(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {}
  }
}

/** `Retry-After` in seconds or as a date; after a 429 without it, `RateLimit-Reset`. */
function secondsToWait(status: number, headers: Headers): number | undefined {
  const after = headers.get('retry-after') ?? (status === 429 ? headers.get('ratelimit-reset') : null)
  if (after === null) return undefined
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
