// A webhook receiver in JavaScript (Node, no packages): WEBHOOK_SECRET=whsec_… PORT=4000 node webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const maxAgeSeconds = 300

/** Whether the service sent this body, a moment ago. `body` is the text as it came, before it is parsed. */
export function isGenuine(secret, headers, body, now = Date.now() / 1000) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const age = Math.abs(now - Number(timestamp))
  if (!id || !timestamp || !(age <= maxAgeSeconds)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  if (!isGenuine(process.env.WEBHOOK_SECRET ?? '', request.headers, body)) {
    response.writeHead(401).end()
    return
  }
  const event = JSON.parse(body)
  process.stdout.write(`${event.eventType} ${event.id}\n`)
  // Answer first and work later: the service waits 15 seconds.
  response.writeHead(204).end()
})
server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
