/** A phone for media tests: real sockets on loopback, sends tones, keeps the packets it receives. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type CodecName, codecNamed } from '../codecs/registry.ts'
import { createPacer, packetMs } from '../rtp/pacer.ts'
import { createRtpHeader, readRtpHeader } from '../rtp/rtp.ts'
import { decode, rtpPacket, samplesPerPacket, toneOctets } from './sound.ts'

export type Phone = Awaited<ReturnType<typeof createPhone>>

export async function createPhone({ codec = 'PCMA' as CodecName, ssrc = 1 } = {}) {
  const rtp = await listen()
  const rtcp = await listen()
  const received: Buffer[] = []
  const reports: Buffer[] = []
  rtp.on('message', (packet) => received.push(packet))
  rtcp.on('message', (packet) => reports.push(packet))
  let sequence = 100
  let talking: NodeJS.Timeout | undefined

  function say(port: number, octets: Uint8Array, payload = codecNamed(codec).payloadType) {
    rtp.send(rtpPacket({ payload, sequence, ssrc, octets }), port, '127.0.0.1')
    sequence += 1
  }

  /** Sends a tone, one packet every 20 ms of the clock, until hung up: a timer alone falls behind on a busy machine. */
  function talk(port: number, hertz: number) {
    const sound = toneOctets(hertz, codec)
    const pacer = createPacer(performance.now())
    clearInterval(talking)
    talking = setInterval(() => {
      pacer.sendDue(performance.now(), (index) => {
        const at = (index * samplesPerPacket) % sound.length
        say(port, sound.subarray(at, at + samplesPerPacket))
      })
    }, packetMs / 2)
  }

  return {
    port: rtp.address().port,
    rtcpPort: rtcp.address().port,
    received,
    reports,
    say,
    talk,
    fallSilent: () => clearInterval(talking),
    send: (port: number, packet: Buffer) => rtp.send(packet, port, '127.0.0.1'),
    report: (port: number, packet: Buffer) => rtcp.send(packet, port, '127.0.0.1'),
    sound: () => decode(Buffer.concat(received.map(payloadOf)), codec),
    async hangUp() {
      clearInterval(talking)
      for (const socket of [rtp, rtcp]) {
        socket.close()
        await once(socket, 'close')
      }
    },
  }
}

export function headerOf(packet: Buffer | undefined) {
  const header = createRtpHeader()
  if (!packet || !readRtpHeader(packet, header)) throw new Error('no RTP packet')
  return header
}

function payloadOf(packet: Buffer): Buffer {
  const { payloadStart, payloadEnd } = headerOf(packet)
  return packet.subarray(payloadStart, payloadEnd)
}

async function listen(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
