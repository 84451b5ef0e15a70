/** One request: time-out, retries, errors. Nothing here knows a resource. */
import { ApiError, errorOf, NetworkError, RequestTimeoutError } from './errors.ts'

export type Options = {
  /** Address of the service, with or without `/api/v1`. */
  baseUrl: string
  token?: string | undefined
  /** Milliseconds until an attempt without an answer is given up; 30,000 by default. */
  timeout?: number
  /** How often a failed request is repeated where that is safe; 2 by default, 0 for never. */
  maxRetries?: number
  /** Milliseconds before the first repetition, doubled for each further one; 500 by default. */
  retryDelay?: number
  /** The longest wait, in milliseconds, that the service may ask for; 60,000 by default. Beyond it the error is thrown. */
  maxRetryWait?: number
  /** Sent with every request, `Accept-Language` for example. */
  headers?: Record<string, string>
  fetch?: typeof fetch
}

export type Sending = {
  query?: Record<string, unknown> | undefined
  body?: unknown
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  /** Instead of one of its own making, on routes that honour it. */
  idempotencyKey?: string | undefined
}

/** Routes that honour an Idempotency-Key. */
const keyed = [
  '/calls',
  '/dialer',
  '/charges',
  '/users',
  '/extensions',
  '/extensions/next-available',
  '/contacts',
]
/** A second hang-up of the same call does no harm. */
const harmless = /^\/calls\/([^/]+\/)?hangup$/
const longestBackOff = 8_000

/** A token as it was copied: with `Bearer`, or with the end of a line of its file. */
function bareToken(token: string | undefined): string | undefined {
  return token?.replace(/^\s*Bearer\s+/i, '').trim()
}

export class Transport {
  token: string | undefined
  readonly #options: Options
  readonly #base: string

  /** `root`: the path below which the routes are. */
  constructor(options: Options, root = '/api/v1') {
    if (!options?.baseUrl) throw new TypeError('baseUrl is required, such as http://localhost:3000')
    // A page may name a path of its own origin.
    if (!/^(https?:\/)?\//i.test(options.baseUrl.trim()))
      throw new TypeError('baseUrl must begin with http:// or https://, such as http://localhost:3000')
    this.#options = options
    this.token = bareToken(options.token)
    this.#base = `${options.baseUrl
      .trim()
      .replace(/\/+$/, '')
      .replace(/\/api\/v1$/, '')}${root}`
  }

  /** The JSON of the answer; undefined if it has none. */
  async send(method: string, path: string, sending: Sending = {}): Promise<unknown> {
    return await this.#repeat(method, path, sending, async (response) => {
      const text = await response.text()
      return text === '' ? undefined : JSON.parse(text)
    })
  }

  /** The answer with its body still to be read. */
  async open(method: string, path: string, sending: Sending = {}): Promise<Response> {
    return await this.#repeat(method, path, sending, async (response) => response)
  }

  async #repeat<T>(
    method: string,
    path: string,
    sending: Sending,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { maxRetries = 2, retryDelay = 500, maxRetryWait = 60_000 } = this.#options
    const hasKey = method === 'POST' && keyed.includes(path)
    const isSafe = hasKey || !/^(POST|PATCH)$/.test(method) || harmless.test(path)
    const key = hasKey ? (sending.idempotencyKey ?? newKey()) : undefined
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(method, path, sending, key, read)
      } catch (error) {
        if (attempt >= maxRetries || !mayRepeat(error, isSafe)) throw error
        const asked = error instanceof ApiError ? error.retryAfter : undefined
        if (asked !== undefined && asked * 1000 > maxRetryWait) throw error
        const backOff = Math.min(retryDelay * 2 ** attempt, longestBackOff) * (0.5 + Math.random() / 2)
        await pause(asked === undefined ? backOff : asked * 1000, sending.signal)
      }
    }
  }

  async #attempt<T>(
    method: string,
    path: string,
    { query, body, headers, signal }: Sending,
    key: string | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { timeout = 30_000, fetch = globalThis.fetch } = this.#options
    const address = `${this.#base}${path}`
    const late = new RequestTimeoutError(`${method} ${address}: no answer in ${timeout} ms`)
    const tooLate = new AbortController()
    const timer = setTimeout(() => tooLate.abort(late), timeout)
    try {
      const response = await fetch(`${address}${queryText(query)}`, {
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([tooLate.signal, signal]) : tooLate.signal,
        headers: this.#headers(headers, body !== undefined, key),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw errorOf(response.status, response.headers, await response.text())
      return await read(response)
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted) throw error
      if (tooLate.signal.aborted) throw late
      throw new NetworkError(`${method} ${address}: ${reasonOf(error)}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  #headers(own: Record<string, string> = {}, hasBody: boolean, key: string | undefined): Headers {
    const headers = new Headers({
      Accept: 'application/json',
      ...(hasBody && { 'Content-Type': 'application/json' }),
    })
    if (this.token !== undefined) headers.set('Authorization', `Bearer ${this.token}`)
    if (key !== undefined) headers.set('Idempotency-Key', key)
    for (const [name, value] of Object.entries({ ...this.#options.headers, ...own })) headers.set(name, value)
    return headers
  }
}

/** Pages that were loaded over plain HTTP have no `crypto.randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}

/**
 * D531: what was refused before it was looked at is repeated always; what may have been done, only if doing it twice is
 * the same. Limits of an account are for the program to decide about.
 */
function mayRepeat(error: unknown, isSafe: boolean): boolean {
  if (error instanceof NetworkError) return isSafe
  if (!(error instanceof ApiError)) return false
  const { errorCode, status } = error
  if (errorCode === 'RATE_LIMITED' || (status === 429 && errorCode === 'UNKNOWN')) return true
  return isSafe && (errorCode === 'IDEMPOTENCY_KEY_IN_USE' || status >= 500)
}

/** fetch says "fetch failed" and has the reason in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message ? cause.message : message
}

function queryText(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
