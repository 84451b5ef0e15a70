/** SIP over a TCP or TLS stream. */
import type { Socket } from 'node:net'
import { createStreamParser, type StreamEvent } from '../../parser/stream.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './connections.ts'

const pong = Buffer.from('\r\n')

export function readStream(socket: Socket, connection: Connection, receiveDeps: ReceiveDeps) {
  const { inbox, connections, now, admit } = receiveDeps
  const parser = createStreamParser()
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    connection.activeAt = now()
    for (const event of parser.push(chunk)) {
      if (connection.isOver()) return
      handle(event, chunk)
    }
  })
  connection.ready({
    write: (bytes) => void socket.write(bytes),
    queued: () => socket.writableLength,
    end: () => socket.destroySoon(),
  })

  function handle(event: StreamEvent, bytes: Buffer) {
    if (event.kind === 'ping') connection.send(pong)
    else if (
      event.kind !== 'pong' &&
      !connection.openedByUs &&
      !admit(connection.flow, bytes, connection.proven, sizeOf(event))
    ) {
      connection.abort('unwelcome')
    } else if (event.kind === 'message') {
      connections.receivedMessage(connection)
      inbox.message(event.message, connection.flow)
    } else if (event.kind === 'refused') {
      inbox.refused(event.refusal, connection.flow)
      // The error response is sent before the connection closes.
      if (event.final) connection.end('malformed')
    }
  }
}

/** A chunk may be a part of a message, or several. */
function sizeOf(event: StreamEvent): number {
  return event.kind === 'message' ? event.message.body.length : 0
}
