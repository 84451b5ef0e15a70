/** One attempt: the body is posted, and whatever the receiver does, there is an outcome within 15 seconds (D86). */
import { readWebhookUrl } from '../../integrations/webhook-url.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Connections } from './connections.ts'
import { ForbiddenAddress, type Guard } from './guard.ts'

/** In all: name, connection, answer and its body. */
const mostMs = 15_000
/** Of the answer; what comes after it is not waited for. */
const mostBytes = 4 * 1024
const fixedHeaders = { 'content-type': 'application/json', 'user-agent': 'Ramal-Webhooks/1.0' }

export type Outcome = {
  /** Null when there was no answer. */
  status: number | null
  error: string | null
  response: string
  retryAfter: string | null
  ms: number
  /** Another attempt at this address would end the same. */
  forbidden?: true
  /** There was more than was read, and the connection was lost to it. */
  overlong?: true
}

type Message = { url: string; headers: Record<string, string>; body: string }

export function createSender({ guard, timers }: { guard: Guard; timers: Timers }) {
  let loading: Promise<Connections> | undefined

  /** Loaded by those who send: others need not find room for it. */
  async function load(): Promise<Connections> {
    const { createConnections } = await import('./connections.ts')
    return createConnections({ guard, connectMs: mostMs, now: timers.now })
  }

  async function send({ url, headers, body }: Message): Promise<Outcome> {
    const target = readWebhookUrl(url)
    if (!target) return { ...nothing, error: 'the URL cannot be used', forbidden: true }
    loading ??= load()
    const connections = await loading
    const connection = connections.take(target.origin)
    return await new Promise((resolve) => {
      const answer = createAnswer(timers.now)
      let over = false
      const timer = timers.after(mostMs, () => cut(new Error(`no answer within ${mostMs / 1000} s`)))

      function settle(error?: Error) {
        if (over) return
        over = true
        timer.cancel()
        resolve(answer.close(error))
      }

      /** Ends the connection with the attempt. */
      function cut(reason: Error) {
        settle(reason)
        connections.drop(connection)
      }

      const handler = {
        onRequestStart() {},
        onResponseStart(_: unknown, status: number, received: Record<string, string | string[] | undefined>) {
          answer.begin(status, received['retry-after'])
        },
        onResponseData(_: unknown, chunk: Buffer) {
          if (!answer.add(chunk)) cut(new Error('enough was read'))
        },
        onResponseEnd() {
          settle()
          connections.giveBack(connection)
        },
        onResponseError: (_: unknown, error: Error) => cut(error),
      }
      const path = target.path
      connection.client.dispatch(
        { method: 'POST', path, headers: { ...fixedHeaders, ...headers }, body },
        handler,
      )
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

const nothing: Outcome = { status: null, error: null, response: '', retryAfter: null, ms: 0 }

/** What has come of an answer so far. */
function createAnswer(now: () => number) {
  const began = now()
  const chunks: Buffer[] = []
  let bytes = 0
  let status: number | null = null
  let retryAfter: string | null = null

  return {
    begin(said: number, after: string | string[] | undefined) {
      // 1xx only promise an answer.
      if (said < 200) return
      status = said
      retryAfter = typeof after === 'string' ? after : null
    },
    /** False once enough was read. */
    add(chunk: Buffer): boolean {
      chunks.push(Buffer.from(chunk.subarray(0, mostBytes - bytes)))
      bytes += chunk.length
      return bytes < mostBytes
    },
    /** Who has said its status has answered, whatever becomes of the rest. */
    close(error?: Error): Outcome {
      const response = readable(Buffer.concat(chunks))
      const failed = status === null ? (error ?? new Error('no answer')) : undefined
      return {
        status,
        retryAfter,
        response,
        error: failed ? explain(failed) : null,
        ms: Math.round(now() - began),
        ...(failed instanceof ForbiddenAddress && { forbidden: true }),
        ...(bytes >= mostBytes && { overlong: true }),
      }
    },
  }
}

/** As text that the database can keep. */
function readable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\u{fffd}')
}

function explain(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  // Several addresses were tried: what went wrong with the first says as much as all.
  const message = error.message || (error instanceof AggregateError ? String(error.errors[0]) : error.name)
  return `${message}${code}`.slice(0, 500)
}
