/** D587: the API of the service by the TypeScript client, with its time-outs, retries and classes of errors. */
import { Api } from '../clients/typescript/src/api.ts'
import { AuthenticationError } from '../clients/typescript/src/errors.ts'
import type { Options } from '../clients/typescript/src/transport.ts'
import { explainError } from './error-text.ts'
import { language, locale } from './words/language.ts'

export const options: Options = {
  baseUrl: '/',
  // After a longer wait the page shows an error instead of nothing.
  maxRetryWait: 5_000,
  headers: {
    /** The language of `localizedMessage`, read at each request: people change it. */
    get 'Accept-Language'() {
      return locale()
    },
  },
}

const api = new Api(options)
const listeners = new Set<() => void>()

/** Calls back when a request is refused because the session ended. */
export function onSessionEnd(listener: () => void) {
  listeners.add(listener)
}

/** A route of the API: `request('GET', '/calls/{id}', { path: { id } })`. */
export const request: typeof api.request = async (...sending) => {
  try {
    return await api.request(...sending)
  } catch (error) {
    if (isOfEndedSession(error)) for (const listener of listeners) listener()
    throw error
  }
}

const sessionCodes = ['AUTHORIZATION_REQUIRED', 'INVALID_TOKEN']

/** Refused since the session ended, not for what was sent. */
export const isOfEndedSession = (error: unknown): boolean =>
  error instanceof AuthenticationError && sessionCodes.includes(error.errorCode)

/** The text that people read about an error of any kind. */
export const sentenceOf = (error: unknown): string => explainError(error, language())
