/** SIP over one WebSocket that we open (RFC 7118), and open again when it is needed after it was lost. */
import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import type { Log } from '../../../kit/process/log.ts'
import { addReceived } from '../../../sip/headers/via.ts'
import { limits } from '../../../sip/limits.ts'
import { parseMessage } from '../../../sip/parser/parse.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import type { Wire } from '../../../sip/transport/transports.ts'

type Settings = { url: string; log: Pick<Log, 'warn'> }
type Connection = { flow: Flow; socket: WebSocket; queue: Buffer[] }

const connectMs = 5000
const maxQueued = 100

export function createWebSocketWire({ url, log }: Settings): Wire & { stop(): Promise<void> } {
  /** RFC 7118, 5: a client that cannot be reached by name uses an invalid one. */
  const name = `${randomBytes(8).toString('hex')}.invalid`
  let listener: Parameters<Wire['listen']>[0] | undefined
  let current: Connection | undefined
  let connections = 0
  let stopped = false

  function open(flow: Omit<Flow, 'connection'>): Connection {
    const socket = new WebSocket(url, 'sip', { handshakeTimeout: connectMs, maxPayload: limits.messageBytes })
    connections += 1
    const connection: Connection = { flow: { ...flow, connection: connections }, socket, queue: [] }
    let wasOpen = false
    socket.on('open', () => {
      wasOpen = true
      for (const bytes of connection.queue.splice(0)) socket.send(bytes.toString())
    })
    socket.on('message', (data: Buffer) => receive(data, connection.flow))
    socket.on('error', (error) => log.warn({ err: error }, 'the WebSocket failed'))
    socket.on('close', () => {
      if (current === connection) current = undefined
      if (!stopped) listener?.onClosed(connection.flow, wasOpen)
    })
    return connection
  }

  function receive(data: Buffer, flow: Flow) {
    if (data.toString().trim() === '') return
    try {
      const message = parseMessage(data)
      listener?.onMessage(message.kind === 'request' ? addReceived(message, flow.remote) : message, flow)
    } catch (error) {
      log.warn({ err: error }, 'a message on the WebSocket could not be parsed')
    }
  }

  return {
    ports: () => ({}),
    sentBy: () => ({ host: name, port: undefined }),
    send(bytes, { transport, remote }) {
      if (stopped || (transport !== 'ws' && transport !== 'wss')) return undefined
      current ??= open({ transport, remote, local: { address: '0.0.0.0', port: 0 } })
      if (current.socket.readyState === WebSocket.OPEN) current.socket.send(bytes.toString())
      else if (current.queue.length < maxQueued) current.queue.push(bytes)
      return current.flow
    },
    /** Stateless answers are for servers; a phone sends none. */
    answer() {},
    close: (flow) => {
      if (flow.connection === current?.flow.connection) current?.socket.close()
    },
    listen(next) {
      listener = next
    },
    async stop() {
      stopped = true
      const socket = current?.socket
      if (!socket || socket.readyState === WebSocket.CLOSED) return
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      if (socket.readyState === WebSocket.OPEN) socket.close()
      else socket.terminate()
      await closed
    },
  }
}
