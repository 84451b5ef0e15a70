/**
 * The baseline: packets of a call go from one side to the other through node:dgram and nothing else. It checks nothing,
 * records nothing, and its sockets are connected from the start.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { answerParent } from '../ask.ts'

const host = '127.0.0.1'
type Ports = { extension: number; other: number }
let opened: Socket[] = []

/** Receives on a port of its own, and sends to this one. */
async function openSocket(port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  // When the load closes its sockets first.
  socket.on('error', () => {})
  opened.push(socket)
  socket.bind(0, host)
  await once(socket, 'listening')
  socket.connect(port, host)
  await once(socket, 'connect')
  return socket
}

const work = {
  async open({ ports }: { ports: Ports[] }): Promise<Ports[]> {
    const own: Ports[] = []
    for (const from of ports) {
      const extension = await openSocket(from.extension)
      const other = await openSocket(from.other)
      extension.on('message', (packet) => other.send(packet))
      other.on('message', (packet) => extension.send(packet))
      own.push({ extension: extension.address().port, other: other.address().port })
    }
    return own
  },
  closeAll() {
    for (const socket of opened) socket.close()
    opened = []
  },
}
export type BareRelayWork = typeof work

answerParent(work)
process.send?.('ready')
