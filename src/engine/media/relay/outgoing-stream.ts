/**
 * What one side hears is one RTP stream. As long as all of it comes from the other side its numbers pass as
 * they are; once we have played something ourselves the stream is ours, and what follows is renumbered to
 * continue it.
 *
 *   passing ──tone──▶ playing ◀──tone── following
 *                        └────relayed────▶┘
 */
import { randomInt } from 'node:crypto'
import { type RtpHeader, rtpHeaderLength, samplesPerMs, sequenceStep } from '../rtp/rtp.ts'

const samplesPerPacket = 160

export function createOutgoing() {
  let state: 'passing' | 'playing' | 'following' = 'passing'
  let begun = false
  let ssrc = 0
  let sequence = 0
  let timestamp = 0
  let sentAt = 0
  let toneStart = 0
  // What is added to the numbers of the source we follow.
  let source = 0
  let sequenceShift = 0
  let timestampShift = 0

  const nextTimestamp = (now: number) =>
    timestamp + Math.max(samplesPerPacket, Math.round((now - sentAt) * samplesPerMs))

  function follow(header: RtpHeader, now: number) {
    state = 'following'
    source = header.ssrc
    sequenceShift = sequence + 1 - header.sequence
    timestampShift = nextTimestamp(now) - header.timestamp
  }

  /** Renumbers a relayed packet where needed. True when it begins a new stretch and wants the marker. */
  function relay(packet: Buffer, header: RtpHeader, now: number): boolean {
    const joins = state === 'playing' || (state === 'following' && header.ssrc !== source)
    if (joins) follow(header, now)
    let sent = header.sequence
    let stamp = header.timestamp
    if (state === 'following') {
      sent = (header.sequence + sequenceShift) & 0xffff
      stamp = (header.timestamp + timestampShift) >>> 0
      packet.writeUInt16BE(sent, 2)
      packet.writeUInt32BE(stamp, 4)
      packet.writeUInt32BE(ssrc, 8)
    } else if (header.ssrc !== ssrc) {
      ssrc = header.ssrc
      begun = false
    }
    // A packet out of order leaves the end of the stream where it is.
    if (!begun || sequenceStep(sequence, sent) > 0) {
      begun = true
      sequence = sent
      timestamp = stamp
      sentAt = now
    }
    return joins
  }

  function beginTone(now: number) {
    if (!begun) {
      begun = true
      ssrc = randomInt(1, 2 ** 32)
      sequence = randomInt(0, 2 ** 15)
      timestamp = randomInt(0, 2 ** 31)
      sentAt = now
    }
    state = 'playing'
    toneStart = nextTimestamp(now)
  }

  /** Writes the header of the tone's packet number `index`. */
  function stampTone(packet: Buffer, payload: number, { index, first, now }: ToneStamp) {
    sequence = (sequence + 1) & 0xffff
    timestamp = (toneStart + index * samplesPerPacket) >>> 0
    sentAt = now
    packet.writeUInt8(0x80, 0)
    packet.writeUInt8((first ? 128 : 0) | payload, 1)
    packet.writeUInt16BE(sequence, 2)
    packet.writeUInt32BE(timestamp, 4)
    packet.writeUInt32BE(ssrc, 8)
    return rtpHeaderLength
  }

  /** How the source's numbers became the stream's, for what RTCP says about either. */
  function renumbering(): Renumbering | undefined {
    return state === 'following' ? { source, ssrc, sequenceShift, timestampShift } : undefined
  }

  return { relay, beginTone, stampTone, renumbering, playing: () => state === 'playing' }
}
export type Outgoing = ReturnType<typeof createOutgoing>

type ToneStamp = { index: number; first: boolean; now: number }
export type Renumbering = { source: number; ssrc: number; sequenceShift: number; timestampShift: number }
