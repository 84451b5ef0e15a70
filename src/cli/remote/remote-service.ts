/** D570: a service that is reached by its address and an access token alone. Needs no database, data folder or settings. */
import {
  ApiError,
  AuthenticationError,
  NetworkError,
  PermissionDeniedError,
  Ramal,
} from '../../../clients/typescript/src/index.ts'
import { defined } from '../../kit/defined.ts'
import { command } from '../../kit/process/command.ts'
import { UsageError } from '../usage.ts'

type Env = Record<string, string | undefined>

const defaultUrl = 'http://localhost:3000'

export const remoteOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
} as const

export const remoteUsage = `  --url <url>            of the service, or RAMAL_URL (${defaultUrl})
  --token <token>        of your account; better RAMAL_TOKEN, which no process list shows`

export type RemoteService = { url: string; token: string }

type Given = { url?: string | undefined; token?: string | undefined }

export function readUrl({ url }: Given, env: Env, fallback = defaultUrl): string {
  const found = url ?? (env.RAMAL_URL || fallback)
  if (!/^https?:\/\/./i.test(found) || !URL.canParse(found))
    throw new UsageError(`--url is the address of the service, such as ${defaultUrl}.`)
  return found.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

/** Undefined without one; an empty variable is none. */
export function findToken({ token }: Given, env: Env): string | undefined {
  return token?.trim() || env.RAMAL_TOKEN?.trim() || undefined
}

export function readRemote(given: Given, env: Env): RemoteService {
  const token = findToken(given, env)
  if (token === undefined)
    throw new UsageError(
      `Set RAMAL_TOKEN to an access token: the console makes one, and \`${command} sandbox\` does for a trial.`,
    )
  return { url: readUrl(given, env), token }
}

export function openRemote({ url, token }: { url: string; token?: string }, maxRetries = 2): Ramal {
  return new Ramal({ baseUrl: url, maxRetries, ...defined({ token }) })
}

/** What a person at the terminal can do about a failed request. */
export function explainFailure(error: unknown, url: string): Error {
  return new Error(sentenceFor(error, url), { cause: error })
}

function sentenceFor(error: unknown, url: string): string {
  if (error instanceof NetworkError)
    return `No service answers at ${url}: ${error.message}. Name another with --url or RAMAL_URL.`
  if (error instanceof AuthenticationError)
    return `The service at ${url} refuses the token: ${error.message} Make another in the console, and set RAMAL_TOKEN.`
  if (error instanceof PermissionDeniedError)
    return `The token is valid, and may not do this: ${error.message}`
  if (error instanceof ApiError && error.errorCode === 'UNKNOWN')
    return `${url} answered ${error.status}, and not as this service does. Check --url or RAMAL_URL.`
  return error instanceof Error ? error.message : String(error)
}

/** Worth another try: no answer, an overloaded service, too many requests. */
export function isTransient(error: unknown): error is NetworkError | ApiError {
  if (error instanceof NetworkError) return true
  return error instanceof ApiError && (error.status >= 500 || error.status === 429)
}
