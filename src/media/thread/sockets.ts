/** The four UDP sockets of a call: RTP on an even port and RTCP on the next, for each side. */
import type { PacketKind } from '../relay/relay.ts'
import type { SideName } from '../relay/side.ts'
import type { Udp, UdpSocket } from '../udp/port.ts'
import { createPeerSocket } from './peer-socket.ts'

export type SidePorts = Record<SideName, number>
type OnPacket = (
  side: SideName,
  kind: PacketKind,
  packet: Buffer,
  port: number,
  address: string,
  arrivedAt: number,
) => void

export async function openSockets(udp: Udp, host: string, ports: SidePorts, onPacket: OnPacket) {
  const opened: UdpSocket[] = []
  const rtpSockets: Partial<Record<SideName, UdpSocket>> = {}
  const open = async (side: SideName, kind: PacketKind) => {
    const socket = await udp.open({
      host,
      port: ports[side] + (kind === 'rtcp' ? 1 : 0),
      onPacket: (packet, port, address, arrivedAt) => onPacket(side, kind, packet, port, address, arrivedAt),
    })
    opened.push(socket)
    if (kind === 'rtp') rtpSockets[side] = socket
    return createPeerSocket(socket, !isWildcard(host))
  }
  try {
    const extension = { rtp: await open('extension', 'rtp'), rtcp: await open('extension', 'rtcp') }
    const other = { rtp: await open('other', 'rtp'), rtcp: await open('other', 'rtcp') }
    return {
      sockets: { extension, other },
      /** Packets with sound that the kernel dropped; undefined if it does not say. */
      dropped: (side: SideName) => rtpSockets[side]?.dropped(),
      close: () => closeAll(opened),
    }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::'

async function closeAll(sockets: UdpSocket[]) {
  await Promise.all(sockets.map((socket) => socket.close()))
}
