/** A DTLS server on a port of its own: ours, or that of werift. */
import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { pathToFileURL } from 'node:url'
import { createIdentity } from '../../../src/media/dtls/certificate.ts'
import { createDtlsServer } from '../../../src/media/dtls/dtls-server.ts'

const [kind, folder = '', fingerprint = ''] = process.argv.slice(2)
const host = '127.0.0.1'
/** As long as a client may repeat its last flight. */
const keptMs = 500
const identity = createIdentity(new Date())
const socket = createSocket('udp4')
const peers = new Map<number, (datagram: Buffer) => void>()

function startOwn(port: number): (datagram: Buffer) => void {
  const server = createDtlsServer({
    identity,
    expected: { hash: 'sha-256', value: fingerprint },
    send: (datagram) => socket.send(datagram, port, host),
    onKeys: () => forgetLater(port),
    onEnd: (reason) => process.stderr.write(`${reason}\n`),
  })
  return (datagram) => server.receive(datagram, performance.now())
}

async function loadWerift() {
  const { DtlsServer } = await import(
    pathToFileURL(`${folder}/node_modules/werift/lib/dtls/src/server.js`).href
  )
  const options = {
    cert: new X509Certificate(identity.certificate).toString(),
    key: identity.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    signatureHash: { hash: 4, signature: 3 },
    srtpProfiles: [1],
    extendedMasterSecret: true,
    certificateRequest: true,
  }
  return (port: number) => {
    const transport = {
      address: { address: host, port: 0 },
      type: 'udp',
      onData: (_datagram: Buffer, _from: object) => {},
      send: async (datagram: Buffer) => socket.send(datagram, port, host),
      close: async () => {},
    }
    const server = new DtlsServer({ ...options, transport })
    server.onConnect.subscribe(() => {
      server.extractSessionKeys(16, 14)
      forgetLater(port)
    })
    return (datagram: Buffer) => transport.onData(datagram, { address: host, port })
  }
}

const forgetLater = (port: number) => setTimeout(() => peers.delete(port), keptMs)

const start = kind === 'own' ? startOwn : await loadWerift()
socket.on('message', (datagram, { port }) => {
  const receive = peers.get(port) ?? start(port)
  peers.set(port, receive)
  receive(datagram)
})
socket.on('listening', () => process.send?.(socket.address().port))
socket.bind(0, host)
process.on('message', () => process.send?.(process.memoryUsage().rss / 1e6))
process.on('disconnect', () => process.exit())
