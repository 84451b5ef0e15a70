/** A webhook receiver: a real HTTP server that keeps received requests and answers as the test sets. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any

export type Received = { path: string; headers: Record<string, string>; text: string; body: Wire }
type Answering = (response: ServerResponse, received: Received, request: IncomingMessage) => void

export const accept: Answering = (response) => response.end('thanks')
export const answer =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(status, headers).end(`status ${status}`)

export async function startReceiver(first: Answering = accept) {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let answering = first

  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      const one = { path: request.url ?? '', headers, text, body: JSON.parse(text) }
      received.push(one)
      answering(response, one, request)
      for (const look of waiting) look()
    })
    request.on('error', () => {})
    response.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  /** Resolves with all received requests once there are `count`. */
  async function until(count: number): Promise<Received[]> {
    if (received.length < count) {
      await new Promise<void>((resolve) => {
        const look = () => {
          if (received.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    }
    return received
  }

  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    until,
    answerWith(next: Answering) {
      answering = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Whether the signature is valid for the secret. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature)
}
