/**
 * The load: browsers, and the other sides of their calls. All send a packet every 20 ms, which carries when it was due,
 * so that the receiver knows how late it is.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createIdentity, fingerprintOf } from '../../../src/media/dtls/certificate.ts'
import { isDtls } from '../../../src/media/dtls/record.ts'
import type { IceCredentials } from '../../../src/media/ice/ice-lite.ts'
import { isStun } from '../../../src/media/ice/stun.ts'
import { readMasterKey } from '../../../src/media/srtp/session-keys.ts'
import { createSrtpReceiver, createSrtpSender } from '../../../src/media/srtp/srtp.ts'
import { answerParent } from '../ask.ts'
import { createQuantiles } from '../quantiles.ts'
import { createDtlsClient } from './dtls-client.ts'
import { iceCheck } from './ice-check.ts'
import type { CallPorts } from './media-process.ts'

const host = '127.0.0.1'
const ufrag = 'load'
const packetMs = 20
const slotMs = 4
const lateMs = 20
const sentLateMs = 5
const consentMs = 5_000
const handshakeTimeoutMs = 20_000
const headBytes = 12
const payloadBytes = 160

const identity = createIdentity(new Date())

type Leg = {
  socket: Socket
  target: number
  from: number
  sent: number
  seal: (packet: Buffer) => Buffer | undefined
  open: (packet: Buffer) => Buffer | undefined
  /** In calls with browsers. */
  check?: () => void
  begin?: () => Promise<void>
  tick?: (now: number) => void
}

let legs: Leg[] = []
let talking: Leg[] = []
let counts = zeroCounts()
const lateness = createQuantiles()

function zeroCounts() {
  return { sent: 0, sentLate: 0, received: 0, late: 0 }
}

async function newSocket(): Promise<Socket> {
  // As the media does: no turn of the event loop for the name of an address.
  const socket = createSocket({
    type: 'udp4',
    lookup: (address, _options, callback) => callback(null, address, 4),
  })
  const listening = once(socket, 'listening')
  socket.bind(0, host)
  await listening
  return socket
}

function addLeg(socket: Socket, target: number): Leg {
  const slot = Math.ceil(performance.now() / slotMs) + (legs.length % (packetMs / slotMs))
  const clear = (packet: Buffer) => packet
  const leg: Leg = { socket, target, from: slot * slotMs, sent: 0, seal: clear, open: clear }
  legs.push(leg)
  socket.on('message', (packet) => receive(leg, packet))
  return leg
}

function receive(leg: Leg, packet: Buffer) {
  if (isStun(packet) || isDtls(packet)) return
  const clear = leg.open(packet)
  if (clear?.length !== headBytes + payloadBytes) return
  counts.received += 1
  const after = performance.now() - clear.readDoubleBE(headBytes)
  lateness.add(after)
  if (after > lateMs) counts.late += 1
}

/** A leg that is a browser: it checks its way, and then shakes hands. */
function makeBrowser(leg: Leg, ice: IceCredentials) {
  const { socket, target } = leg
  const { promise: keys, resolve, reject } = Promise.withResolvers<void>()
  const client = createDtlsClient({
    identity,
    send: (datagram) => socket.send(datagram, target, host),
    onKeys({ ours, theirs }) {
      const sender = createSrtpSender(ours)
      const receiver = createSrtpReceiver(theirs)
      leg.seal = sender.protectRtp
      leg.open = receiver.unprotectRtp
      resolve()
    },
  })
  leg.seal = () => undefined
  leg.tick = client.tick
  leg.check = () => socket.send(iceCheck(ice, ufrag), target, host)
  let isStarted = false
  socket.on('message', (packet) => {
    if (isDtls(packet)) client.receive(packet, performance.now())
    else if (isStun(packet) && !isStarted) {
      isStarted = true
      client.start(performance.now())
    }
  })
  leg.begin = async () => {
    leg.check?.()
    const late = setTimeout(() => reject(new Error('a handshake was not completed')), handshakeTimeoutMs)
    await keys.finally(() => clearTimeout(late))
  }
}

/** A phone whose keys stand in the SDP. */
function makeSecure(leg: Leg, { ours, theirs }: NonNullable<CallPorts['keys']>) {
  leg.seal = createSrtpSender(readMasterKey(theirs)).protectRtp
  leg.open = createSrtpReceiver(readMasterKey(ours)).unprotectRtp
}

function sendDue() {
  const now = performance.now()
  for (const leg of talking) {
    for (let due = leg.from + leg.sent * packetMs; due <= now; due += packetMs) {
      if (now - due > sentLateMs) counts.sentLate += 1
      sendPacket(leg, due)
    }
  }
  setTimeout(sendDue, slotMs - (performance.now() % slotMs))
}

function sendPacket(leg: Leg, due: number) {
  const packet = Buffer.alloc(headBytes + payloadBytes, 0xd5)
  packet.writeUInt16BE(0x8008, 0)
  packet.writeUInt16BE(leg.sent & 0xffff, 2)
  packet.writeUInt32BE((leg.sent * payloadBytes) >>> 0, 4)
  packet.writeUInt32BE(leg.target, 8)
  packet.writeDoubleBE(due, headBytes)
  leg.sent += 1
  counts.sent += 1
  const sealed = leg.seal(packet)
  // Copied: the memory of a sealed packet is that of the next one too.
  if (sealed) leg.socket.send(Buffer.from(sealed), leg.target, host)
}

setInterval(() => {
  for (const leg of legs) leg.check?.()
}, consentMs)
setInterval(() => {
  for (const leg of legs) leg.tick?.(performance.now())
}, 100)
sendDue()

let sockets: { extension: Socket; other: Socket }[] = []

const work = {
  fingerprint: () => ({ fingerprint: fingerprintOf(identity.certificate), ufrag }),
  /** Two sockets for each call, and their ports. */
  async prepare({ count }: { count: number }) {
    sockets = []
    for (let n = 0; n < count; n += 1)
      sockets.push({ extension: await newSocket(), other: await newSocket() })
    return sockets.map(({ extension, other }) => ({
      extension: extension.address().port,
      other: other.address().port,
    }))
  },
  /** The calls of the prepared sockets: all handshakes, so many a second, and then sound if they talk. */
  async begin({ calls, perSecond, talk }: Begin): Promise<{ slowestMs: number }> {
    let slowestMs = 0
    const begun: Promise<void>[] = []
    const began = performance.now()
    for (const [n, call] of calls.entries()) {
      const pair = sockets[n]
      if (!pair) throw new Error('not prepared')
      const extension = addLeg(pair.extension, call.extension)
      const other = addLeg(pair.other, call.other)
      if (call.ice) makeBrowser(extension, call.ice)
      if (call.keys) makeSecure(extension, call.keys)
      const wait = began + (n * 1000) / perSecond - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      const at = performance.now()
      const ready = (extension.begin?.() ?? Promise.resolve()).then(() => {
        slowestMs = Math.max(slowestMs, performance.now() - at)
        if (!talk) return
        for (const leg of [extension, other]) {
          leg.from = Math.ceil(performance.now() / slotMs) * slotMs + (leg.from % packetMs)
          talking.push(leg)
        }
      })
      begun.push(ready)
    }
    await Promise.all(begun)
    return { slowestMs }
  },
  counts() {
    const counted = { ...counts, legs: talking.length, latencies: lateness.read() }
    counts = zeroCounts()
    return counted
  },
  end() {
    for (const { socket } of legs) socket.close()
    legs = []
    talking = []
  },
}
type Begin = { calls: CallPorts[]; perSecond: number; talk: boolean }
export type LoadWork = typeof work

answerParent(work)
process.send?.('ready')
