/** A plain HTTP client of the API, as an integrator would write one. */
import { defined } from '../../../src/kit/defined.ts'
import type { Received, Sent } from '../description/described-answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any

export type Answer = { status: number; headers: Headers; body: Wire }

type Options = { token?: string | undefined; headers?: Record<string, string> }

/** `fetch`: one that trusts the certificate of the service, if it has its own. `check`: throws for a wrong answer. */
export function createClient(
  baseUrl: string,
  fetch = globalThis.fetch,
  check?: (sent: Sent, received: Received) => Promise<void>,
) {
  async function send(method: string, path: string, body?: unknown, options: Options = {}): Promise<Answer> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...defined({ authorization: options.token }),
        ...options.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status, headers } = response
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const answer = type === 'application/json' && text !== '' ? JSON.parse(text) : text
    const given = new Headers(options.headers)
    const isForPeople = /text\/html|form-urlencoded/.test(
      `${given.get('accept')} ${given.get('content-type')}`,
    )
    await check?.({ method, path, isForPeople }, { status, type, body: answer })
    return { status, headers, body: answer }
  }

  return {
    send,
    get: (path: string, options?: Options) => send('GET', path, undefined, options),
    head: (path: string, options?: Options) => send('HEAD', path, undefined, options),
    post: (path: string, body?: unknown, options?: Options) => send('POST', path, body, options),
    patch: (path: string, body?: unknown, options?: Options) => send('PATCH', path, body, options),
    delete: (path: string, options?: Options) => send('DELETE', path, undefined, options),
  }
}
export const filter = (value: unknown) => `filter=${encodeURIComponent(JSON.stringify(value))}`

/** Sends the operator token with every request (D109). */
export const fetchAsOperator =
  (token: string): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, authorization: `Bearer ${token}` } })
