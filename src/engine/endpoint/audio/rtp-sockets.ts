/** An even port for RTP and the next one for RTCP, wherever the system has them free. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

const mostTries = 50

/** RTCP is taken in and passed over: nobody else may get what is meant for it. */
export async function openPair(host: string): Promise<{ rtp: Socket; rtcp: Socket }> {
  for (let tries = 1; ; tries += 1) {
    const rtp = await bind(host, 0)
    const { port } = rtp.address()
    try {
      if (port % 2 === 0) return { rtp, rtcp: await bind(host, port + 1) }
    } catch (error) {
      if (tries >= mostTries) throw error
    }
    await closeSockets([rtp])
  }
}

async function bind(host: string, port: number): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.bind({ port, address: host, exclusive: true })
  await once(socket, 'listening')
  // A packet that cannot be sent is a packet lost, as on any network.
  socket.on('error', () => {})
  return socket
}

export async function closeSockets(sockets: Socket[]) {
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
}
