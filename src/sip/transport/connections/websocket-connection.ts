/** SIP over WebSocket (RFC 7118): one message a frame, text or binary. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { limits } from '../../limits.ts'
import { isKeepAlive } from '../inbox.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './connections.ts'

const pong = Buffer.from('\r\n')

/** Turns an HTTP connection into one of SIP. */
export type Upgrade = (connection: Connection, request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Upgrades HTTP connections that offer the `sip` subprotocol, and no others. */
export function createUpgrade(receiveDeps: ReceiveDeps): Upgrade {
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: () => 'sip',
  })
  return (connection, request, socket, head) => {
    if (!offersSip(request)) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    upgrades.handleUpgrade(request, socket, head, (webSocket) =>
      readWebSocket(webSocket, connection, receiveDeps),
    )
  }
}

/** Upgrades the connections of a server that has nothing else to serve. */
export function upgradeAll(
  server: Server,
  connectionOf: (socket: Duplex) => Connection | undefined,
  receiveDeps: ReceiveDeps,
) {
  const upgrade = createUpgrade(receiveDeps)
  server.on('request', (_request, answer) => {
    answer.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end('SIP over WebSocket only\n')
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('upgrade', (request, socket, head) => {
    const connection = connectionOf(socket)
    if (connection) upgrade(connection, request, socket, head)
    else socket.destroy()
  })
}

function offersSip({ headers }: IncomingMessage): boolean {
  return (headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === 'sip')
}

function readWebSocket(webSocket: WebSocket, connection: Connection, receiveDeps: ReceiveDeps) {
  const { inbox, connections, now, admit } = receiveDeps
  const received = () => {
    connection.activeAt = now()
    connection.silentSweeps = 0
  }
  webSocket.on('error', () => {})
  webSocket.on('ping', received)
  webSocket.on('pong', received)
  webSocket.on('message', (data: Buffer) => {
    received()
    if (connection.isOver()) return
    // Browser phones send CRLF keep-alives as on a stream, although WebSocket has ping frames.
    if (isKeepAlive(data)) {
      if (data.length === 4) connection.send(pong)
    } else if (!admit(connection.flow, data, connection.proven)) connection.abort('unwelcome')
    else if (inbox.packet(data, connection.flow)) connections.receivedMessage(connection)
  })
  connection.ready({
    // Browsers expect text frames, but a body may be binary.
    write: (bytes) => webSocket.send(bytes, { binary: !isUtf8(bytes) }),
    queued: () => webSocket.bufferedAmount,
    end: () => webSocket.close(1000),
    ping: () => webSocket.ping(),
  })
}
