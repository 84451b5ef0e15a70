/**
 * D276: a media socket that is connected to its peer while sound flows: the kernel then sends with less work. It also drops
 * what comes from elsewhere, so the socket is disconnected as soon as the peer pauses: behind NAT it may have another port.
 */
import type { UdpSocket } from '../udp/port.ts'

type Peer = { address: string; port: number }

/** `mayConnect`: not if it is bound to all addresses, since connecting would choose one of them. */
export function createPeerSocket(socket: UdpSocket, mayConnect: boolean) {
  let peer: Peer | undefined

  function disconnect() {
    peer = undefined
    socket.disconnect()
  }

  return {
    send(packet: Buffer, port: number, address: string) {
      if (peer?.port === port && peer.address === address) return socket.send(packet)
      if (peer) disconnect()
      socket.sendTo(packet, port, address)
    },
    /** Connects to the peer whose sound flows, or disconnects if none does. */
    follow(flowing: Peer | undefined) {
      if (!mayConnect || (peer?.port === flowing?.port && peer?.address === flowing?.address)) return
      if (peer) disconnect()
      if (flowing && socket.connect(flowing.port, flowing.address)) peer = flowing
    },
  }
}
