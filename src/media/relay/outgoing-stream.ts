/**
 * The RTP stream sent to one side. While all of it is relayed from the peer, packets keep their own numbers (SSRC,
 * sequence, timestamp). Once we have played a tone, the stream is ours, and relayed packets are renumbered to
 * continue it; also if the codecs of the two sides have different RTP clocks.
 *
 *   unchanged ──tone──▶ tone ◀──tone── renumbered
 *       │                 └───relayed────▶┘ ▲
 *       └────────────another clock──────────┘
 */
import { randomInt } from 'node:crypto'
import { packetMs } from '../rtp/pacer.ts'
import { type Renumbering, renumberTimestamp } from '../rtp/rtcp.ts'
import { defaultClockRate, type RtpHeader, sequenceStep } from '../rtp/rtp.ts'

export function createOutgoingStream() {
  let state: 'unchanged' | 'tone' | 'renumbered' = 'unchanged'
  let begun = false
  let ssrc = 0
  let sequence = 0
  let timestamp = 0
  let sentAt = 0
  let toneStart = 0
  let ticksPerMs = defaultClockRate / 1000
  let ticksPerPacket = ticksPerMs * packetMs
  // How the relayed source is renumbered; used only in that state.
  const renumbered: Renumbering = {
    source: 0,
    ssrc: 0,
    sequenceShift: 0,
    sourceTimestamp: 0,
    sentTimestamp: 0,
    clockRatio: 1,
  }

  function setClockRate(clockRate: number) {
    ticksPerMs = clockRate / 1000
    ticksPerPacket = ticksPerMs * packetMs
  }

  const nextTimestamp = (now: number) =>
    timestamp + Math.max(ticksPerPacket, Math.round((now - sentAt) * ticksPerMs))

  function renumberFrom(header: RtpHeader, now: number, clockRatio: number) {
    if (!begun) begin(now)
    state = 'renumbered'
    renumbered.source = header.ssrc
    renumbered.ssrc = ssrc
    renumbered.sequenceShift = sequence + 1 - header.sequence
    renumbered.sourceTimestamp = header.timestamp
    renumbered.sentTimestamp = nextTimestamp(now) >>> 0
    renumbered.clockRatio = clockRatio
  }

  function begin(now: number) {
    begun = true
    ssrc = randomInt(1, 2 ** 32)
    sequence = randomInt(0, 2 ** 15)
    timestamp = randomInt(0, 2 ** 31)
    sentAt = now
  }

  /** Renumbers a relayed packet where needed. True if it begins a talk spurt and needs the marker bit. */
  function relay(packet: Buffer, header: RtpHeader, now: number, clockRatio: number): boolean {
    const isNewSource =
      state === 'renumbered'
        ? header.ssrc !== renumbered.source || clockRatio !== renumbered.clockRatio
        : state === 'tone' || clockRatio !== 1
    if (isNewSource) renumberFrom(header, now, clockRatio)
    let sentSequence = header.sequence
    let sentTimestamp = header.timestamp
    if (state === 'renumbered') {
      sentSequence = (header.sequence + renumbered.sequenceShift) & 0xffff
      sentTimestamp = renumberTimestamp(header.timestamp, renumbered)
      packet.writeUInt16BE(sentSequence, 2)
      packet.writeUInt32BE(sentTimestamp, 4)
      packet.writeUInt32BE(ssrc, 8)
    } else if (header.ssrc !== ssrc) {
      ssrc = header.ssrc
      begun = false
    }
    // A packet out of order is not the latest of the stream.
    if (!begun || sequenceStep(sequence, sentSequence) > 0) {
      begun = true
      sequence = sentSequence
      timestamp = sentTimestamp
      sentAt = now
      // So that the steps stay small enough to be scaled.
      renumbered.sourceTimestamp = header.timestamp
      renumbered.sentTimestamp = sentTimestamp
    }
    return isNewSource
  }

  /** `index`: of the packet that is sent next. */
  function beginTone(now: number, index = 0) {
    if (!begun) begin(now)
    state = 'tone'
    toneStart = nextTimestamp(now) - index * ticksPerPacket
  }

  /** Writes the RTP header of packet `index` of the tone. */
  function writeToneHeader(packet: Buffer, payloadType: number, tone: TonePacket) {
    const { index, startIndex = index, marker, now } = tone
    sequence = (sequence + 1) & 0xffff
    timestamp = (toneStart + index * ticksPerPacket) >>> 0
    sentAt = now
    packet.writeUInt8(0x80, 0)
    packet.writeUInt8((marker ? 128 : 0) | payloadType, 1)
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE((toneStart + startIndex * ticksPerPacket) >>> 0, 4)
    packet.writeUInt32BE(ssrc, 8)
  }

  /** Needed to renumber the RTCP reports about this stream in the same way. */
  function renumbering(): Renumbering | undefined {
    return state === 'renumbered' ? renumbered : undefined
  }

  return {
    setClockRate,
    ticksPerPacket: () => ticksPerPacket,
    relay,
    beginTone,
    writeToneHeader,
    renumbering,
    isPlayingTone: () => state === 'tone',
  }
}
export type OutgoingStream = ReturnType<typeof createOutgoingStream>

/** `startIndex`: where a telephone event began, which all its packets have the timestamp of. */
type TonePacket = { index: number; startIndex?: number; marker: boolean; now: number }
