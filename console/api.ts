/** The API of the service, typed by its own description. A refusal becomes an `ApiRefusal`. */
import createClient from 'openapi-fetch'
import type { Error as ErrorBody, paths } from './api-types.ts'
import { fieldsOf, messageOf } from './error-text.ts'
import { commonWords } from './words/common.ts'
import { language, locale } from './words/language.ts'

export const client = createClient<paths>({ baseUrl: '/api/v1', credentials: 'same-origin' })

client.use({
  onRequest({ request }) {
    // The language of `localizedMessage`.
    request.headers.set('Accept-Language', locale())
    return request
  },
})

/** What the service refused, or that it could not be reached (status 0). */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal'
  readonly status: number
  readonly code: string
  /** One sentence for each field that is wrong. */
  readonly fields: Record<string, string>

  constructor(status: number, code: string, message: string, fields: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

const listeners = new Set<() => void>()

/** Calls back when a request is refused because the session ended. */
export function onSessionEnd(listener: () => void) {
  listeners.add(listener)
}

type Answer<T> = { data?: T | undefined; error?: unknown; response: Response }

/** The body of an answer; throws an `ApiRefusal` for anything but a success. */
export async function must<T>(request: Promise<Answer<T>>): Promise<T> {
  const words = commonWords[language()]
  let answer: Answer<T>
  try {
    answer = await request
  } catch {
    throw new ApiRefusal(0, 'UNREACHABLE', words.noConnection)
  }
  const { data, error, response } = answer
  if (response.ok) return data as T
  const refusal = readRefusal(response.status, error)
  if (isOfEndedSession(refusal)) for (const listener of listeners) listener()
  throw refusal
}

const sessionCodes = ['AUTHORIZATION_REQUIRED', 'INVALID_TOKEN']

/** Refused since the session ended, not for what was sent. */
export const isOfEndedSession = (error: unknown): boolean =>
  error instanceof ApiRefusal && error.status === 401 && sessionCodes.includes(error.code)

function readRefusal(status: number, body: unknown): ApiRefusal {
  const { error } = (typeof body === 'object' ? (body ?? {}) : {}) as Partial<ErrorBody>
  const words = commonWords[language()]
  if (!error) return new ApiRefusal(status, 'UNKNOWN', words.failed)
  if (status === 429) return new ApiRefusal(status, 'RATE_LIMITED', words.tooMany)
  return new ApiRefusal(status, String(error.code ?? ''), messageOf(error), fieldsOf(error))
}

/** The text that people read about an error of any kind. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : commonWords[language()].failed
}
