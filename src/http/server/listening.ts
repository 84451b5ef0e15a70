/** Opening the door, and closing it behind the last guest. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Where it listens, as a URL. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  return urlOf(host, (server.server.address() as AddressInfo).port)
}

export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host
  return `http://${name}:${port}`
}

const drainMs = 25_000

/** Takes nothing new and answers what was asked; whoever has not finished asking by then is cut off. */
export async function drain(server: FastifyInstance) {
  // A connection is closed as soon as its last answer is out, not when its client lets go of it.
  const idle = setInterval(() => server.server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.server.closeAllConnections(), drainMs)
  await server.close()
  clearInterval(idle)
  clearTimeout(late)
}
