/** Posts a message to a receiver. Whatever the receiver does, there is a result within 15 seconds (D86: attempts). */
import { readWebhookUrl } from '../../integrations/webhook-url.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Connections } from './connections.ts'
import { ForbiddenAddress, type Guard } from './guard.ts'
import { createSigner } from './signature.ts'

/** Time-out of the whole attempt: DNS lookup, connection, answer and its body. */
const maxMs = 15_000
/** An attempt ends when this much of the answer has been read. */
const maxBytes = 4 * 1024
const fixedHeaders = { 'content-type': 'application/json', 'user-agent': 'Ramal-Webhooks/1.0' }

export type SendResult = {
  /** Null when there was no answer. */
  status: number | null
  error: string | null
  response: string
  retryAfter: string | null
  ms: number
  /** Another attempt at this address would end the same. */
  forbidden?: true
  /** The answer was longer than we read; the connection had to be closed. */
  overlong?: true
}

export type Message = {
  id: string
  /** When the attempt is made; it is signed. */
  at: Date
  url: string
  body: string
  secrets: string[]
  /** `user:password`, sent as Basic authorization (D151). */
  login?: string
}

/** What the sender needs of `connections.ts`. */
export type Receivers = Pick<Connections, 'take' | 'giveBack' | 'drop' | 'close'>

type Deps = {
  guard: Guard
  timers: Timers
  /** In place of the network. */
  receivers?: Receivers | undefined
}

export function createSender({ guard, timers, receivers }: Deps) {
  const signatureHeaders = createSigner()
  let loading: Promise<Receivers> | undefined

  /** Loaded with the first message: a process that sends nothing saves the memory of the HTTP client. */
  async function load(): Promise<Receivers> {
    if (receivers) return receivers
    const { createConnections } = await import('./connections.ts')
    return createConnections({ guard, connectMs: maxMs, now: timers.now })
  }

  async function send(message: Message): Promise<SendResult> {
    const target = readWebhookUrl(message.url)
    if ('problem' in target) return { ...noAnswer, error: 'the URL cannot be used', forbidden: true }
    loading ??= load()
    const connections = await loading
    const connection = connections.take(target.origin)
    return await new Promise((resolve) => {
      const answer = createAnswer(timers.now)
      let isFinished = false
      const timer = timers.after(maxMs, () => abort(new Error(`no answer within ${maxMs / 1000} s`)))

      function finish(error?: Error) {
        if (isFinished) return
        isFinished = true
        timer.cancel()
        resolve(answer.close(error))
      }

      /** Ends the attempt, and closes its connection. */
      function abort(reason: Error) {
        finish(reason)
        connections.drop(connection)
      }

      const handler = {
        onRequestStart() {},
        onResponseStart(_: unknown, status: number, received: Record<string, string | string[] | undefined>) {
          answer.begin(status, received['retry-after'])
        },
        onResponseData(_: unknown, chunk: Buffer) {
          if (!answer.add(chunk)) abort(new Error('enough was read'))
        },
        onResponseEnd() {
          finish()
          connections.giveBack(connection)
        },
        onResponseError: (_: unknown, error: Error) => abort(error),
      }
      const headers = { ...fixedHeaders, ...signatureHeaders(message), ...authorization(message) }
      connection.client.dispatch({ method: 'POST', path: target.path, headers, body: message.body }, handler)
    })
  }

  return {
    send,
    async close() {
      await (await loading)?.close()
    },
  }
}
export type Sender = ReturnType<typeof createSender>

const noAnswer: SendResult = { status: null, error: null, response: '', retryAfter: null, ms: 0 }

function authorization({ login }: Message): Record<string, string> {
  if (login === undefined) return {}
  return { authorization: `Basic ${Buffer.from(login, 'utf8').toString('base64')}` }
}

/** Collects an answer as it arrives. */
function createAnswer(now: () => number) {
  const began = now()
  const chunks: Buffer[] = []
  let bytes = 0
  let status: number | null = null
  let retryAfter: string | null = null

  return {
    begin(received: number, after: string | string[] | undefined) {
      // 1xx statuses are provisional.
      if (received < 200) return
      status = received
      retryAfter = typeof after === 'string' ? after : null
    },
    /** Returns false once enough was read. */
    add(chunk: Buffer): boolean {
      chunks.push(Buffer.from(chunk.subarray(0, maxBytes - bytes)))
      bytes += chunk.length
      return bytes < maxBytes
    },
    /** Once a status was received the receiver has answered; errors in the rest are ignored. */
    close(error?: Error): SendResult {
      const response = readable(Buffer.concat(chunks))
      const failed = status === null ? (error ?? new Error('no answer')) : undefined
      return {
        status,
        retryAfter,
        response,
        error: failed ? explain(failed) : null,
        ms: Math.round(now() - began),
        ...(failed instanceof ForbiddenAddress && { forbidden: true }),
        ...(bytes >= maxBytes && { overlong: true }),
      }
    },
  }
}

/** PostgreSQL stores no NUL in a text. */
function readable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\u{fffd}')
}

function explain(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  // Several addresses were tried: the first error says as much as all.
  const message = error.message || (error instanceof AggregateError ? String(error.errors[0]) : error.name)
  return `${message}${code}`.slice(0, 500)
}
