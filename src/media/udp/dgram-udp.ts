/** The UDP sockets of media by `node:dgram`: for all platforms. */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { PortInUse, type Udp } from './port.ts'

export const dgramUdp: Udp = {
  async open({ host, port, onPacket }) {
    const socket = newSocket(host)
    await bound(socket, port, host)
    socket.on('message', (packet, from) => onPacket(packet, from.port, from.address, performance.now()))
    return {
      // Copied: Node keeps the memory of a packet that the kernel does not take at once.
      send: (packet) => socket.send(Buffer.from(packet)),
      sendTo: (packet, toPort, address) => socket.send(Buffer.from(packet), toPort, address),
      connect(toPort, address) {
        // Connected, or not, when it returns: the sockets of calls look nothing up.
        socket.connect(toPort, address, () => {})
        return isConnected(socket)
      },
      disconnect: () => socket.disconnect(),
      dropped: () => undefined,
      close: () => closed(socket),
    }
  },
}

/** Addresses are numeric already: this lookup saves a turn of the event loop for every packet sent. */
function newSocket(host: string): Socket {
  const family = isIPv6(host) ? 6 : 4
  return createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    lookup: (address, _options, callback) => callback(null, address, family),
  })
}

function bound(socket: Socket, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close()
      reject(new PortInUse(port, error))
    })
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.removeAllListeners('error')
      socket.on('error', () => {})
      resolve()
    })
  })
}

function isConnected(socket: Socket): boolean {
  try {
    socket.remoteAddress()
    return true
  } catch {
    return false
  }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.close(() => resolve()))
}
