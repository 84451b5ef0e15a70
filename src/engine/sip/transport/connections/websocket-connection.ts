/** SIP over WebSocket (RFC 7118): one message a frame, text or binary. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { limits } from '../../limits.ts'
import { isKeepAlive } from '../inbox.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './speaking.ts'

const pong = Buffer.from('\r\n')

/** Lets an HTTP server upgrade those who speak SIP, and nobody else. */
export function upgradeToSip(
  server: Server,
  found: (socket: Duplex) => Connection | undefined,
  speaking: ReceiveDeps,
) {
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: () => 'sip',
  })
  server.on('request', (_request, answer) => {
    answer.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end('SIP over WebSocket only\n')
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.on('upgrade', (request, socket, head) => {
    const connection = found(socket)
    if (!connection || !offersSip(request)) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    upgrades.handleUpgrade(request, socket, head, (webSocket) =>
      speakWebSocket(webSocket, connection, speaking),
    )
  })
}

function offersSip({ headers }: IncomingMessage): boolean {
  return (headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === 'sip')
}

function speakWebSocket(webSocket: WebSocket, connection: Connection, speaking: ReceiveDeps) {
  const { inbox, connections, now, admit } = speaking
  webSocket.on('error', () => {})
  webSocket.on('ping', () => {
    connection.activeAt = now()
  })
  webSocket.on('message', (data: Buffer) => {
    connection.activeAt = now()
    if (connection.isOver()) return
    // Browser phones ask as streams do, though they have frames of their own for it.
    if (isKeepAlive(data)) {
      if (data.length === 4) connection.send(pong)
    } else if (!admit(connection.flow.remote, data)) connection.cut('unwelcome')
    else if (inbox.packet(data, connection.flow)) connections.prove(connection)
  })
  connection.ready({
    // Text is what browsers expect, but a body need not be any.
    write: (bytes) => webSocket.send(bytes, { binary: !isUtf8(bytes) }),
    queued: () => webSocket.bufferedAmount,
    end: () => webSocket.close(1000),
  })
}
