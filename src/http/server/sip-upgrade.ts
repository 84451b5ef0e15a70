/**
 * D239: SIP over WebSocket at `/sip` of the HTTP port, so that web phones need no port of their own: what reaches the API,
 * a proxy with TLS included, reaches it too.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { SipUpgrade } from '../../sip/transport/upgrade.ts'
import { trustedProxies } from '../limits/trusted-proxies.ts'

export const sipPath = '/sip'

/** Whether a request leaves HTTP. All others are answered as usual, such as one that offers HTTP/2. */
export function isSipUpgrade({ url = '', headers }: IncomingMessage): boolean {
  return url.split('?', 1)[0] === sipPath && headers.upgrade?.toLowerCase() === 'websocket'
}

/** Returns the connections that have left HTTP and are open. */
export function addSipUpgrade(
  server: FastifyInstance,
  trustProxy: string[],
  accept: (upgrade: SipUpgrade) => void,
): ReadonlySet<Socket> {
  const isTrusted = trustedProxies(trustProxy)
  const upgraded = new Set<Socket>()
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    const peer = socket.remoteAddress ?? ''
    const isFromProxy = isTrusted(peer)
    accept({
      request,
      socket,
      head,
      address: isFromProxy ? forwardedFor(request, peer, isTrusted) : peer,
      isSecure:
        socket instanceof TLSSocket || (isFromProxy && request.headers['x-forwarded-proto'] === 'https'),
    })
  })
  return upgraded
}

/** The last address that no trusted proxy has. */
function forwardedFor(
  request: IncomingMessage,
  peer: string,
  isTrusted: (address: string) => boolean,
): string {
  const named = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
  return named.findLast((address) => !isTrusted(address)) ?? peer
}
