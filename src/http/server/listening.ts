/** Starts listening, and stops after the last answer is sent. */
import { Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { TlsPair } from '../../kit/process/tls-files.ts'

/** Returns the URL on which the server listens. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  const isSecure = (server.server as unknown) instanceof HttpsServer
  return urlOf(host, (server.server.address() as AddressInfo).port, isSecure)
}

export function urlOf(host: string, port: number, isSecure: boolean): string {
  const name = host.includes(':') ? `[${host}]` : host === '127.0.0.1' ? 'localhost' : host
  return `${isSecure ? 'https' : 'http'}://${name}:${port}`
}

/** D290: for connections from now on; those that are open stay open. */
export function renewCertificate(server: FastifyInstance, pair: TlsPair) {
  const listening: unknown = server.server
  if (listening instanceof HttpsServer) listening.setSecureContext(pair)
}

const drainMs = 25_000

/**
 * Accepts no new request and answers those received; after `drainMs` remaining connections are cut. `upgraded` are not waited
 * for: the voice engine closes those when it stops, after the calls on them.
 */
export async function drain(server: FastifyInstance, upgraded: ReadonlySet<Socket> = new Set()) {
  const { server: http } = server
  const late = setTimeout(() => http.closeAllConnections(), drainMs)
  let idle: ReturnType<typeof setInterval> | undefined
  const answered = new Promise<void>((resolve) => {
    idle = setInterval(() => {
      // Keep-alive connections are closed as soon as their last answer is sent, without waiting for the client.
      http.closeIdleConnections()
      http.getConnections((_error, count) => {
        if (!http.listening && count <= upgraded.size) resolve()
      })
    }, 20)
  })
  await Promise.race([server.close(), answered])
  clearInterval(idle)
  clearTimeout(late)
}
