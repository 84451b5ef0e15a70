/** A webhook receiver, as an integrator would write one: it verifies every signature. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const toleranceSeconds = 300

export type ReceivedEvent = {
  eventType: string
  id: string
  sequence: number
  metadata: unknown
  /** The signature is valid and recent. */
  signed: boolean
}

export async function startReceiver(onEvent: (event: ReceivedEvent) => void) {
  const secret = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    const receive = async (body: string) => {
      onEvent({ ...JSON.parse(body), signed: isSigned(request.headers, body, await secret.promise) })
      response.writeHead(204).end()
    }
    text(request)
      .then(receive)
      .catch(() => response.writeHead(400).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    trust: secret.resolve,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Standard Webhooks 1.0: an HMAC of the id, the time and the body, with the secret of the integration. */
function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers
  const age = Math.abs(Date.now() / 1000 - Number(at))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  const matches = String(given)
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
  return matches && age < toleranceSeconds
}
