/** Ports that others connect to. Whoever comes is counted before the first handshake costs us anything. */
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Counts } from '../../counts.ts'
import { plainAddress } from '../addresses.ts'
import type { Peer } from '../flow.ts'
import { cannotListen } from '../port-error.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './speaking.ts'
import { readStream } from './stream-connection.ts'
import { upgradeToSip } from './websocket-connection.ts'

export type StreamTransport = 'tcp' | 'tls' | 'ws' | 'wss'
export type Credentials = { cert: string | Buffer; key: string | Buffer }

type Deps = {
  host: string
  tls: Credentials | undefined
  handshakeMs: number
  counts: Counts
  speaking: ReceiveDeps
  admit(remote: Peer, bytes?: Buffer): boolean
}
type Serve = (socket: Socket, connection: Connection) => void

/** A dead peer is noticed although it says nothing. */
const keepAlive = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }

export async function openListener(transport: StreamTransport, port: number, deps: Deps) {
  const { host, counts, speaking, admit } = deps
  const serve = serving(transport, deps)
  const server = createServer(keepAlive, (socket) => {
    const remote = { address: plainAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 }
    if (remote.address === '') return void socket.destroy()
    if (!admit(remote)) {
      counts.add('sip_dropped_not_admitted_total')
      return void socket.destroy()
    }
    const connection = speaking.connections.add(socket, { transport, remote, made: false })
    if (connection) serve(socket, connection)
    else socket.destroy()
  })
  await listen(server, port, host).catch((error) => {
    throw cannotListen(transport, port, host, error)
  })
  // Out of file descriptors, say: those who are connected go on.
  server.on('error', () => counts.add('sip_listener_errors_total'))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function serving(transport: StreamTransport, { tls, handshakeMs, speaking }: Deps): Serve {
  if (transport === 'tcp') return (socket, connection) => readStream(socket, connection, speaking)
  const secrets = { ...tls, handshakeTimeout: handshakeMs }
  const { serve, found } = createVestibule()
  if (transport === 'tls') {
    const server = createTlsServer(secrets, (socket) => {
      const connection = found(socket)
      if (connection) readStream(socket, connection, speaking)
      else socket.destroy()
    })
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    return serve(server)
  }
  const server = transport === 'ws' ? createHttpServer() : createHttpsServer(secrets)
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  upgradeToSip(server, (socket) => found(socket as Socket), speaking)
  return serve(server)
}

/**
 * Where connections wait for their handshake. What comes out of a server of TLS or HTTP is another socket than went in,
 * but it has the same ends.
 */
function createVestibule() {
  const waiting = new Map<string, Connection>()
  const endsOf = (socket: Socket) =>
    `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress} ${socket.localPort}`

  const serve =
    (server: Server): Serve =>
    (socket, connection) => {
      const ends = endsOf(socket)
      waiting.set(ends, connection)
      socket.once('close', () => waiting.delete(ends))
      server.emit('connection', socket)
    }

  return { serve, found: (socket: Socket) => waiting.get(endsOf(socket)) }
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
