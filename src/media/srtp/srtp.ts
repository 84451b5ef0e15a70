/**
 * SRTP and SRTCP (RFC 3711) with AES_CM_128_HMAC_SHA1_80, the profile that every phone and browser has.
 *
 *   SRTP    header | encrypted payload | tag
 *   SRTCP   header and SSRC | encrypted rest | E and index | tag
 */
import { timingSafeEqual } from 'node:crypto'
import { createRtpHeader, maxPacketLength, readRtpHeader, rtpHeaderLength } from '../rtp/rtp.ts'
import { createPacketCipher, tagLength } from './packet-cipher.ts'
import { createPacketIndex, type PacketIndex } from './packet-index.ts'
import { deriveSessionKeys, type MasterKey } from './session-keys.ts'

const rtcpHeaderLength = 8
const rtcpIndexLength = 4
const encryptedFlag = 0x8000_0000
const maxRtcpIndex = 0x7fff_ffff
/** A side has one stream at a time. More that are authentic are a mistake of the peer; the oldest is forgotten. */
const maxStreams = 8

/** Protects the packets sent with a key. */
export function createSrtpSender(master: MasterKey) {
  const rtp = createPacketCipher(deriveSessionKeys(master, 'rtp'))
  const rtcp = createPacketCipher(deriveSessionKeys(master, 'rtcp'))
  const streams = createStreams()
  const header = createRtpHeader()
  let rtcpIndex = 0

  return {
    /** A new, longer packet. Undefined if its number was used before: no key stream is used twice. */
    protectRtp(packet: Buffer): Buffer | undefined {
      if (!readRtpHeader(packet, header)) return undefined
      const stream = streams.of(header.ssrc)
      const index = stream.guess(header.sequence)
      if (stream.isUsed(index)) return undefined
      stream.use(index)
      const sent = Buffer.allocUnsafe(packet.length + tagLength)
      packet.copy(sent)
      rtp.crypt(sent, payloadStart(packet), packet.length, header.ssrc, index)
      rtp.writeTag(sent, packet.length, rolloverOf(index), sent.subarray(packet.length))
      return sent
    },
    /** A new, longer packet; undefined once the index is used up, after two thousand million packets. */
    protectRtcp(packet: Buffer): Buffer | undefined {
      if (rtcpIndex >= maxRtcpIndex) return undefined
      rtcpIndex += 1
      const end = packet.length + rtcpIndexLength
      const sent = Buffer.allocUnsafe(end + tagLength)
      packet.copy(sent)
      rtcp.crypt(sent, rtcpHeaderLength, packet.length, packet.readUInt32BE(4), rtcpIndex)
      sent.writeUInt32BE((rtcpIndex | encryptedFlag) >>> 0, packet.length)
      rtcp.writeTag(sent, end, undefined, sent.subarray(end))
      return sent
    },
  }
}
export type SrtpSender = ReturnType<typeof createSrtpSender>

/** Checks and decrypts the packets that came, in place. Undefined if they are forged, replayed or too old. */
export function createSrtpReceiver(master: MasterKey) {
  const rtp = createPacketCipher(deriveSessionKeys(master, 'rtp'))
  const rtcp = createPacketCipher(deriveSessionKeys(master, 'rtcp'))
  const streams = createStreams()
  const rtcpStreams = createStreams()
  const tag = Buffer.alloc(tagLength)

  return {
    unprotectRtp(packet: Buffer): Buffer | undefined {
      const end = packet.length - tagLength
      if (end < rtpHeaderLength || end > maxPacketLength) return undefined
      const start = payloadStart(packet)
      if (start > end) return undefined
      const ssrc = packet.readUInt32BE(8)
      const stream = streams.find(ssrc) ?? createPacketIndex()
      const index = stream.guess(packet.readUInt16BE(2))
      if (stream.isUsed(index)) return undefined
      rtp.writeTag(packet, end, rolloverOf(index), tag)
      if (!timingSafeEqual(tag, packet.subarray(end))) return undefined
      stream.use(index)
      streams.keep(ssrc, stream)
      rtp.crypt(packet, start, end, ssrc, index)
      return packet.subarray(0, end)
    },
    unprotectRtcp(packet: Buffer): Buffer | undefined {
      const tagStart = packet.length - tagLength
      const end = tagStart - rtcpIndexLength
      if (end < rtcpHeaderLength || end > maxPacketLength) return undefined
      const ssrc = packet.readUInt32BE(4)
      const flagged = packet.readUInt32BE(end)
      const index = flagged & maxRtcpIndex
      const stream = rtcpStreams.find(ssrc) ?? createPacketIndex()
      if (stream.isUsed(index)) return undefined
      rtcp.writeTag(packet, tagStart, undefined, tag)
      if (!timingSafeEqual(tag, packet.subarray(tagStart))) return undefined
      stream.use(index)
      rtcpStreams.keep(ssrc, stream)
      if (flagged >= encryptedFlag) rtcp.crypt(packet, rtcpHeaderLength, end, ssrc, index)
      return packet.subarray(0, end)
    },
  }
}
export type SrtpReceiver = ReturnType<typeof createSrtpReceiver>

/** The packet indices by SSRC. A stream is kept only once a packet of it was authentic. */
function createStreams() {
  const streams = new Map<number, PacketIndex>()
  const find = (ssrc: number) => streams.get(ssrc)

  function keep(ssrc: number, stream: PacketIndex) {
    if (streams.has(ssrc)) return
    const [oldest] = streams.keys()
    if (streams.size >= maxStreams && oldest !== undefined) streams.delete(oldest)
    streams.set(ssrc, stream)
  }

  return {
    find,
    keep,
    of(ssrc: number): PacketIndex {
      const known = find(ssrc)
      if (known) return known
      const stream = createPacketIndex()
      keep(ssrc, stream)
      return stream
    },
  }
}

/** After the fixed header, the contributing sources and the header extension, which are not encrypted. */
function payloadStart(packet: Buffer): number {
  const first = packet.readUInt8(0)
  const start = rtpHeaderLength + 4 * (first & 15)
  if (!(first & 0x10) || start + 4 > packet.length) return start
  return start + 4 + 4 * packet.readUInt16BE(start + 2)
}

/** How often the sequence numbers wrapped around. */
const rolloverOf = (index: number) => Math.floor(index / 0x1_0000)
