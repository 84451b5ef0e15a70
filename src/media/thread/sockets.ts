/** The four UDP sockets of a call: RTP on an even port and RTCP on the next, for each side. */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { PacketKind } from '../relay/relay.ts'
import type { SideName } from '../relay/side.ts'
import { createPeerSocket } from './peer-socket.ts'

export type SidePorts = Record<SideName, number>
type OnPacket = (side: SideName, kind: PacketKind, packet: Buffer, port: number, address: string) => void

/** One of the ports is in use, perhaps by another process. */
export class PortInUse extends Error {
  readonly port: number
  constructor(port: number, cause: unknown) {
    super(`port ${port} cannot be used`, { cause })
    this.port = port
  }
}

export async function openSockets(host: string, ports: SidePorts, onPacket: OnPacket) {
  const opened: Socket[] = []
  const bind = async (side: SideName, kind: PacketKind) => {
    const port = ports[side] + (kind === 'rtcp' ? 1 : 0)
    const socket = newSocket(host)
    opened.push(socket)
    await bound(socket, port, host)
    socket.on('message', (packet, from) => onPacket(side, kind, packet, from.port, from.address))
    return createPeerSocket(socket, !isWildcard(host))
  }
  try {
    const extension = { rtp: await bind('extension', 'rtp'), rtcp: await bind('extension', 'rtcp') }
    const other = { rtp: await bind('other', 'rtp'), rtcp: await bind('other', 'rtcp') }
    return { sockets: { extension, other }, close: () => closeAll(opened) }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

/** Addresses are numeric already: this lookup saves a turn of the event loop for every packet sent. */
export function newSocket(host: string): Socket {
  const family = isIPv6(host) ? 6 : 4
  return createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    lookup: (address, _options, callback) => callback(null, address, family),
  })
}

function bound(socket: Socket, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => reject(new PortInUse(port, error)))
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.removeAllListeners('error')
      // A packet that cannot be sent counts as lost on the network.
      socket.on('error', () => {})
      resolve()
    })
  })
}

async function closeAll(sockets: Socket[]) {
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
}
