/** Who sends the messages: a stranger and a carrier over UDP, a TCP connection in pieces, a WebSocket. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { SeededRandom } from '../crash/seeded-random.ts'
import type { FuzzPeer } from './messages.ts'

/** A few of the last messages from the engine are kept, to be answered or imitated. */
const maxReceived = 30

export type Sender = FuzzPeer & { send(bytes: Buffer): Promise<void>; stop(): void }

export async function openUdpSender(server: number, address: string, port = 0): Promise<Sender> {
  const socket = createSocket('udp4')
  const received: string[] = []
  socket.on('error', () => {})
  socket.on('message', (bytes) => keep(received, bytes))
  socket.bind(port, address)
  await once(socket, 'listening')
  return {
    address,
    port: socket.address().port,
    transport: 'UDP',
    received,
    send: async (bytes) => void socket.send(bytes, server, '127.0.0.1'),
    stop: () => socket.close(),
  }
}

/** A closed connection is replaced by a new one. */
export function openTcpSender(server: number, { below }: SeededRandom): Sender {
  const received: string[] = []
  let socket: Socket | undefined

  async function open(): Promise<Socket> {
    if (socket && !socket.destroyed && socket.writable) return socket
    const fresh = connect(server, '127.0.0.1')
    fresh.setNoDelay(true).on('error', () => {})
    fresh.on('data', (bytes) => keep(received, bytes))
    socket = fresh
    await once(fresh, 'connect').catch(() => {})
    return fresh
  }

  return {
    address: '127.0.0.1',
    port: 5060,
    transport: 'TCP',
    received,
    async send(bytes) {
      const open_ = await open()
      const cut = below(bytes.length + 1)
      open_.write(bytes.subarray(0, cut))
      open_.write(bytes.subarray(cut))
    },
    stop: () => void socket?.destroy(),
  }
}

export function openWebSocketSender(server: number, { below }: SeededRandom): Sender {
  const received: string[] = []
  let socket: WebSocket | undefined

  async function open(): Promise<WebSocket> {
    if (socket?.readyState === WebSocket.OPEN) return socket
    const fresh = new WebSocket(`ws://127.0.0.1:${server}`, 'sip')
    fresh.on('error', () => {})
    fresh.on('message', (bytes: Buffer) => keep(received, bytes))
    socket = fresh
    await once(fresh, 'open').catch(() => {})
    return fresh
  }

  return {
    address: '127.0.0.1',
    port: 5060,
    transport: 'WS',
    received,
    async send(bytes) {
      const opened = await open()
      if (opened.readyState === WebSocket.OPEN) opened.send(bytes, { binary: below(2) === 0 })
    },
    stop: () => void socket?.terminate(),
  }
}

function keep(received: string[], bytes: Buffer) {
  received.push(bytes.toString('latin1'))
  if (received.length > maxReceived) received.shift()
}
