/** SIP over a stream, TCP or what TLS makes of one. */
import type { Socket } from 'node:net'
import { createStreamParser, type StreamEvent } from '../../parser/stream.ts'
import type { Connection } from './connection.ts'
import type { ReceiveDeps } from './speaking.ts'

const pong = Buffer.from('\r\n')

export function readStream(socket: Socket, connection: Connection, speaking: ReceiveDeps) {
  const { inbox, connections, now, admit } = speaking
  const parser = createStreamParser()
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    connection.activeAt = now()
    for (const event of parser.push(chunk)) {
      if (connection.isOver()) return
      take(event, chunk)
    }
  })
  connection.ready({
    write: (bytes) => void socket.write(bytes),
    queued: () => socket.writableLength,
    end: () => socket.destroySoon(),
  })

  function take(event: StreamEvent, bytes: Buffer) {
    if (event.kind === 'ping') connection.send(pong)
    else if (event.kind !== 'pong' && !connection.openedByUs && !admit(connection.flow.remote, bytes)) {
      connection.cut('unwelcome')
    } else if (event.kind === 'message') {
      connections.prove(connection)
      inbox.message(event.message, connection.flow)
    } else if (event.kind === 'refused') {
      inbox.refused(event.refusal, connection.flow)
      // Whoever is told why reads it before the end.
      if (event.final) connection.end('malformed')
    }
  }
}
