// Receives webhooks: PORT=4000 WEBHOOK_SECRET=whsec_... node receive-webhook.mjs
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { webhooks } from '@ramal/client'

const { PORT = '4000', WEBHOOK_SECRET } = process.env

createServer(async (request, response) => {
  try {
    const event = await webhooks.verify(await buffer(request), request.headers, WEBHOOK_SECRET)
    // Answer first, work afterwards: a slow receiver delays its own next events.
    response.writeHead(204).end()
    process.stdout.write(`${event.eventType} ${event.id}\n`)
  } catch (error) {
    response.writeHead(401).end(error.message)
  }
}).listen(Number(PORT), '127.0.0.1')
