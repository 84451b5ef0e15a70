/** Listening ports. Connections are counted and limited before their TLS or HTTP handshake. */
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Counts } from '../../counts.ts'
import { plainAddress } from '../addresses.ts'
import type { Admit } from '../flow.ts'
import { cannotListen } from '../port-error.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './connections.ts'
import { readStream } from './stream-connection.ts'
import { upgradeAll } from './websocket-connection.ts'

export type StreamTransport = 'tcp' | 'tls' | 'ws' | 'wss'
export type TlsCredentials = { cert: string | Buffer; key: string | Buffer }

type Deps = {
  host: string
  tls: TlsCredentials | undefined
  handshakeMs: number
  counts: Counts
  receiveDeps: ReceiveDeps
  admit: Admit
}
type Serve = (socket: Socket, connection: Connection) => void
/** `renew`: for handshakes from now on. */
type Serving = { serve: Serve; renew(tls: TlsCredentials): void }

/** TCP keep-alive detects a dead peer. */
const keepAlive = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }

export async function openListener(transport: StreamTransport, port: number, deps: Deps) {
  const { host, counts, receiveDeps, admit } = deps
  const { serve, renew } = serving(transport, deps)
  const server = createServer(keepAlive, (socket) => {
    const remote = { address: plainAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 }
    if (remote.address === '') return void socket.destroy()
    if (!admit({ transport, remote })) {
      counts.add('sip_dropped_not_admitted_total')
      return void socket.destroy()
    }
    const connection = receiveDeps.connections.add(socket, { transport, remote, openedByUs: false })
    if (connection) serve(socket, connection)
    else socket.destroy()
  })
  await listen(server, port, host).catch((error) => {
    throw cannotListen(transport, port, host, error)
  })
  // For example out of file descriptors: existing connections continue.
  server.on('error', () => counts.add('sip_listener_errors_total'))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    renew,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function serving(transport: StreamTransport, { tls, handshakeMs, receiveDeps }: Deps): Serving {
  const renewNothing = () => {}
  if (transport === 'tcp') {
    return {
      serve: (socket, connection) => readStream(socket, connection, receiveDeps),
      renew: renewNothing,
    }
  }
  const secrets = { ...tls, handshakeTimeout: handshakeMs }
  const { serve, found } = createHandshakes()
  if (transport === 'tls') {
    const server = createTlsServer(secrets, (socket) => {
      const connection = found(socket)
      if (connection) readStream(socket, connection, receiveDeps)
      else socket.destroy()
    })
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    return { serve: serve(server), renew: (next) => server.setSecureContext(next) }
  }
  if (transport === 'ws') {
    const plain = createHttpServer()
    upgradeAll(plain, (socket) => found(socket as Socket), receiveDeps)
    return { serve: serve(plain), renew: renewNothing }
  }
  const server = createHttpsServer(secrets)
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  upgradeAll(server, (socket) => found(socket as Socket), receiveDeps)
  return { serve: serve(server), renew: (next) => server.setSecureContext(next) }
}

/**
 * Connections during their handshake. A TLS or HTTP server hands out another socket than it was given, but with the
 * same addresses and ports, by which the connection is found again.
 */
function createHandshakes() {
  const waiting = new Map<string, Connection>()
  const addressesOf = (socket: Socket) =>
    `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress} ${socket.localPort}`

  const serve =
    (server: Server): Serve =>
    (socket, connection) => {
      const addresses = addressesOf(socket)
      waiting.set(addresses, connection)
      socket.once('close', () => waiting.delete(addresses))
      server.emit('connection', socket)
    }

  return { serve, found: (socket: Socket) => waiting.get(addressesOf(socket)) }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}
