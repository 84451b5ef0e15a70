/**
 * The RTP stream sent to one side. While all of it is relayed from the peer, packets keep their own numbers (SSRC,
 * sequence, timestamp). Once we have played a tone, the stream is ours, and relayed packets are renumbered to
 * continue it.
 *
 *   unchanged ──tone──▶ tone ◀──tone── renumbered
 *                         └───relayed────▶┘
 */
import { randomInt } from 'node:crypto'
import type { Renumbering } from '../rtp/rtcp.ts'
import { type RtpHeader, samplesPerMs, sequenceStep } from '../rtp/rtp.ts'

const samplesPerPacket = 160

export function createOutgoingStream() {
  let state: 'unchanged' | 'tone' | 'renumbered' = 'unchanged'
  let begun = false
  let ssrc = 0
  let sequence = 0
  let timestamp = 0
  let sentAt = 0
  let toneStart = 0
  // The relayed source, and what is added to its numbers while they are renumbered.
  let source = 0
  let sequenceShift = 0
  let timestampShift = 0

  const nextTimestamp = (now: number) =>
    timestamp + Math.max(samplesPerPacket, Math.round((now - sentAt) * samplesPerMs))

  function renumberFrom(header: RtpHeader, now: number) {
    state = 'renumbered'
    source = header.ssrc
    sequenceShift = sequence + 1 - header.sequence
    timestampShift = nextTimestamp(now) - header.timestamp
  }

  /** Renumbers a relayed packet where needed. True if it begins a talk spurt and needs the marker bit. */
  function relay(packet: Buffer, header: RtpHeader, now: number): boolean {
    const isNewSource = state === 'tone' || (state === 'renumbered' && header.ssrc !== source)
    if (isNewSource) renumberFrom(header, now)
    let sentSequence = header.sequence
    let sentTimestamp = header.timestamp
    if (state === 'renumbered') {
      sentSequence = (header.sequence + sequenceShift) & 0xffff
      sentTimestamp = (header.timestamp + timestampShift) >>> 0
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
    }
    return isNewSource
  }

  function beginTone(now: number) {
    if (!begun) {
      begun = true
      ssrc = randomInt(1, 2 ** 32)
      sequence = randomInt(0, 2 ** 15)
      timestamp = randomInt(0, 2 ** 31)
      sentAt = now
    }
    state = 'tone'
    toneStart = nextTimestamp(now)
  }

  /** Writes the RTP header of packet `index` of the tone. */
  function writeToneHeader(packet: Buffer, payloadType: number, { index, marker, now }: TonePacket) {
    sequence = (sequence + 1) & 0xffff
    timestamp = (toneStart + index * samplesPerPacket) >>> 0
    sentAt = now
    packet.writeUInt8(0x80, 0)
    packet.writeUInt8((marker ? 128 : 0) | payloadType, 1)
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE(timestamp, 4)
    packet.writeUInt32BE(ssrc, 8)
  }

  /** Needed to renumber the RTCP reports about this stream in the same way. */
  function renumbering(): Renumbering | undefined {
    return state === 'renumbered' ? { source, ssrc, sequenceShift, timestampShift } : undefined
  }

  return {
    relay,
    beginTone,
    writeToneHeader,
    renumbering,
    isPlayingTone: () => state === 'tone',
  }
}
export type OutgoingStream = ReturnType<typeof createOutgoingStream>

type TonePacket = { index: number; marker: boolean; now: number }
