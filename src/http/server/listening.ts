/** Starts listening, and stops after the last answer is sent. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Returns the URL on which the server listens. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  return urlOf(host, (server.server.address() as AddressInfo).port)
}

export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host
  return `http://${name}:${port}`
}

const drainMs = 25_000

/** Accepts no new request and answers those received; after `drainMs` remaining connections are cut. */
export async function drain(server: FastifyInstance) {
  // Keep-alive connections are closed as soon as their last answer is sent, without waiting for the client.
  const idle = setInterval(() => server.server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.server.closeAllConnections(), drainMs)
  await server.close()
  clearInterval(idle)
  clearTimeout(late)
}
