/**
 * SRTP and SRTCP (RFC 3711) with AES_CM_128_HMAC_SHA1_80, the profile that every phone and browser has.
 *
 *   SRTP    header | encrypted payload | tag
 *   SRTCP   header and SSRC | encrypted rest | E and index | tag
 */
import { createPacketViews } from '../rtp/packet-views.ts'
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
/** For a header and a converted payload, each of the greatest length. */
const memoryLength = 4096

/** The packet that was protected last in this thread, and the one that was opened: used before the next one comes. */
const sealed = createPacketViews(new ArrayBuffer(memoryLength))
const opened = createPacketViews(new ArrayBuffer(memoryLength))

/** Protects the packets sent with a key. What is returned is valid until the next packet of any sender. */
export function createSrtpSender(master: MasterKey) {
  const rtp = createPacketCipher(deriveSessionKeys(master, 'rtp'), true)
  const rtcp = createPacketCipher(deriveSessionKeys(master, 'rtcp'))
  const streams = createStreams()
  const header = createRtpHeader()
  let rtcpIndex = 0

  return {
    /** A longer packet. Undefined if its number was used before: no key stream is used twice. */
    protectRtp(packet: Buffer): Buffer | undefined {
      if (!readRtpHeader(packet, header)) return undefined
      const stream = streams.of(header.ssrc)
      const index = stream.guess(header.sequence)
      if (stream.isUsed(index)) return undefined
      stream.use(index)
      const sent = sealed(packet.length + tagLength)
      packet.copy(sent)
      rtp.crypt(sent, payloadStart(packet), packet.length, header.ssrc, index)
      rtp.writeTag(sent, packet.length, rolloverOf(index), sent, packet.length)
      return sent
    },
    /** A longer packet; undefined once the index is used up, after two thousand million packets. */
    protectRtcp(packet: Buffer): Buffer | undefined {
      if (rtcpIndex >= maxRtcpIndex) return undefined
      rtcpIndex += 1
      const end = packet.length + rtcpIndexLength
      const sent = sealed(end + tagLength)
      packet.copy(sent)
      rtcp.crypt(sent, rtcpHeaderLength, packet.length, packet.readUInt32BE(4), rtcpIndex)
      sent.writeUInt32BE((rtcpIndex | encryptedFlag) >>> 0, packet.length)
      rtcp.writeTag(sent, end, undefined, sent, end)
      return sent
    },
  }
}
export type SrtpSender = ReturnType<typeof createSrtpSender>

/**
 * Checks and decrypts the packets that came. Undefined if they are forged, replayed or too old. What is returned is valid until
 * the next packet of any receiver.
 */
export function createSrtpReceiver(master: MasterKey) {
  const rtp = createPacketCipher(deriveSessionKeys(master, 'rtp'), true)
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
      if (!isTagAt(packet, end, tag)) return undefined
      stream.use(index)
      streams.keep(ssrc, stream)
      const clear = opened(end)
      packet.copy(clear, 0, 0, end)
      rtp.crypt(clear, start, end, ssrc, index)
      return clear
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
      if (!isTagAt(packet, tagStart, tag)) return undefined
      stream.use(index)
      rtcpStreams.keep(ssrc, stream)
      const clear = opened(end)
      packet.copy(clear, 0, 0, end)
      if (flagged >= encryptedFlag) rtcp.crypt(clear, rtcpHeaderLength, end, ssrc, index)
      return clear
    },
  }
}
export type SrtpReceiver = ReturnType<typeof createSrtpReceiver>

/** In constant time: how long it takes tells nothing of the tag. */
function isTagAt(packet: Buffer, start: number, tag: Buffer): boolean {
  let difference = 0
  for (let at = 0; at < tagLength; at += 1) difference |= (packet[start + at] ?? 0) ^ (tag[at] ?? 0)
  return difference === 0
}

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
