/**
 * Starts media threads and ends them, in turn while they load and while they relay; exits while the last one relays.
 * `node src/media/testing/ending-threads.ts <kind of sockets> <threads> <first port>`
 */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { createIdentity } from '../dtls/certificate.ts'
import { startMediaThread } from '../thread/media-thread.ts'
import { type UdpKind, udpKinds } from '../udp/choose-udp.ts'
import { createPhone } from './phone.ts'
import { toneOctets } from './sound.ts'

const [, , kind, count, firstPort] = process.argv
const sockets: UdpKind = udpKinds.find((one) => one === kind) ?? 'dgram'
const host = '127.0.0.1'
const payloads = [{ number: 8, codec: 'PCMA' as const }]
const identity = createIdentity(new Date())
const [near, far] = [await createPhone(), await createPhone()]
const octets = toneOctets(440, 'PCMA').subarray(0, 160)
/** A thread ends with packets that have come and packets on their way. */
const packetsAtOnce = 20

const start = () =>
  startMediaThread({
    data: { identity, sounds: {}, sockets, dscp: 0 },
    onEvent: () => {},
    onMissed: () => {},
    onEnd: () => {},
  })

async function relaying(round: number) {
  const thread = start()
  const extension = Number(firstPort) + (round % 10) * 4
  const ports = { extension, other: extension + 2 }
  const { portInUse } = await thread.request('open', 'call', { host, ports, silentAfterMs: 30_000 })
  if (portInUse !== undefined) throw new Error(`port ${portInUse} is in use`)
  const from = (port: number) => ({ address: host, port, payloads })
  await thread.request('expect', 'call', { side: 'extension', description: from(near.port) })
  await thread.request('expect', 'call', { side: 'other', description: from(far.port) })
  far.received.length = 0
  while (far.received.length < packetsAtOnce * 3) {
    for (let sent = 0; sent < packetsAtOnce; sent += 1) near.say(extension, octets)
    await turn()
  }
  return thread
}

for (let round = 0; round < Number(count); round += 2) {
  const loading = start()
  await wait((round * 7) % 100)
  await loading.stop()
  await (await relaying(round)).stop()
}
await relaying(0)
process.exit()
