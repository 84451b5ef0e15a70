/** Who floods: connections from many addresses that send one OPTIONS each, and datagrams at a fixed rate. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent } from '../ask.ts'

const connections: Socket[] = []
let written = 0

function options(transport: string): string {
  written += 1
  return [
    'OPTIONS sip:bench.test SIP/2.0',
    `Via: SIP/2.0/${transport} 127.0.0.1:5060;branch=z9hG4bKflood${written};rport`,
    `From: <sip:a@bench.test>;tag=${written}`,
    'To: <sip:b@bench.test>',
    `Call-ID: flood-${written}`,
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 70',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}

const addressOf = (index: number) => `127.0.3.${1 + (index % 20)}`

async function openOne(port: number, index: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(index) })
  socket.on('error', () => {})
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false)
  if (!opened) return false
  socket.on('data', () => {})
  socket.write(options('TCP'))
  connections.push(socket)
  return true
}

answerParent({
  /** How many could be opened; those that are closed by the engine are not opened again. */
  async openConnections({ port, count }: { port: number; count: number }) {
    let opened = 0
    for (let at = 0; at < count; at += 200) {
      const some = Array.from({ length: Math.min(200, count - at) }, (_, one) => openOne(port, at + one))
      opened += (await Promise.all(some)).filter(Boolean).length
    }
    return opened
  },
  /** How many were sent. */
  async sendDatagrams({ port, perSecond, seconds }: { port: number; perSecond: number; seconds: number }) {
    const sockets = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const socket = createSocket('udp4').on('error', () => {})
        socket.bind(0, addressOf(index))
        await once(socket, 'listening')
        // A connected socket spares the lookup of the address for each datagram.
        socket.connect(port, '127.0.0.1')
        await once(socket, 'connect')
        return socket
      }),
    )
    const start = performance.now()
    const until = start + seconds * 1000
    let sent = 0
    for (let now = start; now < until; now = performance.now()) {
      const due = ((now - start) / 1000) * perSecond
      for (; sent < due; sent += 1) {
        const socket = sockets[sent % sockets.length]
        socket?.send(sent % 3 === 0 ? `nonsense ${sent}` : options('UDP'))
      }
      await sleep(1)
    }
    for (const socket of sockets) socket.close()
    return sent
  },
  stop() {
    for (const socket of connections) socket.destroy()
  },
})
process.send?.('ready')

export type FlooderWork = {
  openConnections(load: { port: number; count: number }): Promise<number>
  sendDatagrams(load: { port: number; perSecond: number; seconds: number }): Promise<number>
  stop(): void
}
