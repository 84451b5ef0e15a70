/** A proxy between a client and the service that loses the answers to the first requests: the service has done its work. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export async function startAnswerCutter(target: string, losses: number) {
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      body: new Uint8Array(await buffer(request)),
    })
    const body = await answer.bytes()
    statuses.push(answer.status)
    if (statuses.length <= losses) response.destroy()
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Statuses of the service's answers, lost or not. */
    statuses,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
