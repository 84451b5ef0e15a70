/** A job for the load generator, and its result. Both are sent between processes. */

/** The text of a request, split where the client's address is inserted. */
export type RequestText = { before: string; after: string }

type RequestFields = {
  method?: 'GET' | 'POST'
  path: string
  token?: string
  headers?: string[]
  body?: unknown
}

export function writeRequest({
  method = 'GET',
  path,
  token,
  headers = [],
  body,
}: RequestFields): RequestText {
  const content = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === undefined ? [] : [`Authorization: ${token}`]),
    ...headers,
    ...(content === ''
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    'X-Forwarded-For: ',
  ]
  return { before: lines.join('\r\n'), after: `\r\n\r\n${content}` }
}

/** Requests that one address may send: below the limit of 60 a minute. */
export const belowLimit = 50

export type Job = {
  port: number
  /** Sent in turn, again and again. */
  requests: RequestText[]
  connections: number
  seconds: number
  /** Requests each address sends before a new one takes over; `one` never changes. */
  perAddress: number | 'one'
  /** Absent: each connection sends as soon as it was answered. */
  perSecond?: number
}

export type Outcome = {
  answered: number
  seconds: number
  statuses: Record<number, number>
  /** Milliseconds; at a fixed rate from the moment the request was due. */
  p50: number
  p99: number
  p999: number
}
