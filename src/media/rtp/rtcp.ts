/** RTCP (RFC 3550 section 6): validated, and renumbered in the same way as the RTP stream it reports on. */
import { maxPacketLength, timestampStep } from './rtp.ts'

/** How the SSRC, sequence numbers and timestamps of a source are changed in the stream we send. */
export type Renumbering = {
  source: number
  ssrc: number
  sequenceShift: number
  /** A timestamp of the source, and the same moment in the stream. */
  sourceTimestamp: number
  sentTimestamp: number
  clockRatio: number
}

export function renumberTimestamp(
  timestamp: number,
  by: Omit<Renumbering, 'source' | 'ssrc' | 'sequenceShift'>,
) {
  const step = timestampStep(by.sourceTimestamp, timestamp)
  return (by.sentTimestamp + (by.clockRatio === 1 ? step : Math.round(step * by.clockRatio))) >>> 0
}

const senderReport = 200
const receiverReport = 201
const goodbye = 203
const lowestFeedback = 205
const highestFeedback = 206
const highestType = 207
const blockLength = 24

/** True for a compound packet of version 2 whose parts fill it exactly (RFC 3550, A.2). */
export function isRtcp(packet: Buffer): boolean {
  if (packet.length < 8 || packet.length > maxPacketLength) return false
  let at = 0
  while (at + 8 <= packet.length) {
    const type = packet.readUInt8(at + 1)
    if (packet.readUInt8(at) >> 6 !== 2 || type < senderReport || type > highestType) return false
    at += partLength(packet, at)
  }
  return at === packet.length
}

/**
 * Rewrites a report so that each end finds its own numbers in it. `forward` is how the stream of the reporting side
 * was renumbered towards its peer, `back` how the stream it receives was.
 */
export function renumberRtcp(
  packet: Buffer,
  forward: Renumbering | undefined,
  back: Renumbering | undefined,
): void {
  if (!forward && !back) return
  for (let at = 0; at + 8 <= packet.length; at += partLength(packet, at)) {
    const type = packet.readUInt8(at + 1)
    const end = at + partLength(packet, at)
    if (forward) renumberSender(packet, at, end, forward)
    if (!back) continue
    if (type === senderReport) renumberBlocks(packet, at + 28, end, back)
    if (type === receiverReport) renumberBlocks(packet, at + 8, end, back)
    if (type >= lowestFeedback && type <= highestFeedback && at + 12 <= end)
      replaceSsrc(packet, at + 8, back.ssrc, back.source)
  }
}

function renumberSender(packet: Buffer, at: number, end: number, forward: Renumbering) {
  const { source, ssrc } = forward
  const type = packet.readUInt8(at + 1)
  const named = packet.readUInt32BE(at + 4) === source
  if (named && type === senderReport && at + 28 <= end)
    packet.writeUInt32BE(renumberTimestamp(packet.readUInt32BE(at + 16), forward), at + 16)
  const sources = type === goodbye ? Math.max(1, packet.readUInt8(at) & 31) : 1
  for (let n = 0; n < sources && at + 8 + 4 * n <= end; n += 1)
    replaceSsrc(packet, at + 4 + 4 * n, source, ssrc)
}

function renumberBlocks(packet: Buffer, from: number, end: number, back: Renumbering) {
  for (let at = from; at + blockLength <= end; at += blockLength) {
    if (!replaceSsrc(packet, at, back.ssrc, back.source)) continue
    // The low half of the extended highest sequence number; the cycle count stays as the receiver reports it.
    packet.writeUInt16BE((packet.readUInt16BE(at + 10) - back.sequenceShift) & 0xffff, at + 10)
  }
}

function replaceSsrc(packet: Buffer, at: number, from: number, to: number): boolean {
  if (packet.readUInt32BE(at) !== from) return false
  packet.writeUInt32BE(to, at)
  return true
}

const partLength = (packet: Buffer, at: number) => 4 * (packet.readUInt16BE(at + 2) + 1)
