/**
 * `node bench/dtls-candidates.ts <folder> [handshakes]`: CPU time and memory of a DTLS server per handshake, ours against
 * that of `werift`, which is installed in the folder, outside of this project. The client is werift's for both.
 */
import { fork } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createIdentity, fingerprintOf } from '../src/media/dtls/certificate.ts'
import { cpuSeconds } from './parts/process-figures.ts'

const [folder = '', count = '300'] = process.argv.slice(2)
const host = '127.0.0.1'
const warmUp = 30
const patienceMs = 8_000
const program = fileURLToPath(new URL('./parts/webrtc/dtls-server-process.ts', import.meta.url))
const werift = await import(pathToFileURL(`${folder}/node_modules/werift/lib/dtls/src/client.js`).href)
const identity = createIdentity(new Date())
const options = {
  cert: new X509Certificate(identity.certificate).toString(),
  key: identity.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  signatureHash: { hash: 4, signature: 3 },
  srtpProfiles: [1],
  extendedMasterSecret: true,
}

/** Whether it came to its end. */
async function shakeHands(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  const transport = {
    address: { address: host, port },
    type: 'udp',
    onData: (_datagram: Buffer, _from: object) => {},
    send: async (datagram: Buffer) => socket.send(datagram, port, host),
    close: async () => {},
  }
  socket.on('message', (datagram) => transport.onData(datagram, { address: host, port }))
  const client = new werift.DtlsClient({ ...options, transport })
  const connected = new Promise<boolean>((resolve) => client.onConnect.subscribe(() => resolve(true)))
  void client.connect()
  const done = await Promise.race([connected, sleep(patienceMs, false)])
  socket.close()
  return done
}

async function measure(kind: 'own' | 'werift') {
  const server = fork(program, [kind, folder, fingerprintOf(identity.certificate).value])
  const [port] = (await once(server, 'message')) as [number]
  for (let n = 0; n < warmUp; n += 1) await shakeHands(port)
  const before = cpuSeconds(server.pid ?? 0)
  let done = 0
  for (let n = 0; n < Number(count); n += 1) done += (await shakeHands(port)) ? 1 : 0
  const used = cpuSeconds(server.pid ?? 0) - before
  await sleep(1_500)
  server.send('memory')
  const [megabytes] = (await once(server, 'message')) as [number]
  server.kill()
  process.stdout.write(
    `${kind.padEnd(8)} ${done} of ${count} handshakes, ${((used / Number(count)) * 1000).toFixed(1)} ms CPU each, ${megabytes.toFixed(0)} MB\n`,
  )
}

for (const kind of ['own', 'werift', 'own', 'werift'] as const) await measure(kind)
process.exit()
