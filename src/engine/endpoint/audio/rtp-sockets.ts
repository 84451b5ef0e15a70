/** Opens a pair of sockets on free ports: RTP on an even one, RTCP on the next. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

const maxTries = 50

/** Received RTCP is ignored; its port is bound so that no other process gets it. */
export async function openPair(host: string): Promise<{ rtp: Socket; rtcp: Socket }> {
  for (let tries = 1; ; tries += 1) {
    const rtp = await bind(host, 0)
    const { port } = rtp.address()
    try {
      if (port % 2 === 0) return { rtp, rtcp: await bind(host, port + 1) }
    } catch (error) {
      if (tries >= maxTries) throw error
    }
    await closeSockets([rtp])
  }
}

async function bind(host: string, port: number): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.bind({ port, address: host, exclusive: true })
  await once(socket, 'listening')
  // A packet that cannot be sent counts as lost on the network.
  socket.on('error', () => {})
  return socket
}

export async function closeSockets(sockets: Socket[]) {
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
}
