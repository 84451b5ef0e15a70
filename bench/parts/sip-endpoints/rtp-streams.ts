/**
 * RTP streams of the endpoints: every stream sends a packet each 20 ms, all from one port. The payload has the stream id
 * and the packet's index, so that the receiver knows when the packet was due. Lateness is measured against that
 * schedule, so packets sent late by the endpoints count as late too; `sentLate` counts them separately.
 */
import type { Socket } from 'node:dgram'
import { createQuantiles } from '../quantiles.ts'

const packetMs = 20
/** Streams are spread over the 20 ms in slots, as real calls are; streams of one slot are sent at once. */
const slotMs = 4
const lateMs = 20
/** A packet sent later than this counts as sent late. */
const sentLateMs = 5
const headBytes = 12
const payloadBytes = 160
const silence = 0xd5

type Stream = { port: number; from: number; sent: number; packet: Buffer }

export function createRtpStreams(socket: Socket, sendsRtp: boolean) {
  const streams = new Map<number, Stream>()
  const port = socket.address().port
  let begun = 0
  let sending = false
  let counts = zeroCounts()
  const lateness = createQuantiles()

  function begin(to: number): number {
    begun += 1
    if (!sendsRtp) return begun
    const packet = Buffer.alloc(headBytes + payloadBytes, silence)
    packet.writeUInt16BE(0x8008, 0)
    packet.writeUInt32BE(begun, 8)
    packet.writeUInt32BE(begun, headBytes)
    const slots = Math.ceil(performance.now() / slotMs) + (begun % (packetMs / slotMs))
    streams.set(begun, { port: to, from: slots * slotMs, sent: 0, packet })
    if (!sending) sendDue()
    return begun
  }

  function sendDue() {
    const now = performance.now()
    for (const stream of streams.values()) {
      for (let due = dueAt(stream, stream.sent); due <= now; due += packetMs) {
        if (now - due > sentLateMs) counts.sentLate += 1
        send(stream)
      }
    }
    sending = streams.size > 0
    if (sending) setTimeout(sendDue, slotMs - (performance.now() % slotMs))
  }

  function send(stream: Stream) {
    const { packet, sent } = stream
    packet.writeUInt16BE(sent & 0xffff, 2)
    packet.writeUInt32BE((sent * payloadBytes) >>> 0, 4)
    packet.writeUInt32BE(sent, headBytes + 4)
    // Copied: the socket may queue the buffer by reference, and this buffer is reused.
    socket.send(Buffer.from(packet), stream.port, '127.0.0.1')
    stream.sent += 1
    counts.sent += 1
  }

  socket.on('message', (packet) => {
    counts.received += 1
    const stream =
      packet.length === headBytes + payloadBytes ? streams.get(packet.readUInt32BE(headBytes)) : undefined
    if (!stream) return
    counts.known += 1
    const after = performance.now() - dueAt(stream, packet.readUInt32BE(headBytes + 4))
    lateness.add(after)
    if (after > lateMs) counts.late += 1
  })

  return {
    port,
    begin,
    end: (id: number) => streams.delete(id),
    /** Packets since the last `count`. `known`: packets received of streams whose schedule is known. */
    count() {
      const counted = { ...counts, streams: streams.size, latencies: lateness.read() }
      counts = zeroCounts()
      return counted
    },
  }
}
export type RtpStreams = ReturnType<typeof createRtpStreams>

const zeroCounts = () => ({ sent: 0, sentLate: 0, received: 0, known: 0, late: 0 })

function dueAt({ from }: Stream, index: number): number {
  return from + index * packetMs
}
