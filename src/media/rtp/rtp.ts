/** RTP packets (RFC 3550 section 5.1). The header is read into a reused object: no allocation per packet. */
export const rtpHeaderLength = 12

/** The MTU of Ethernet: a longer packet was fragmented, which no voice codec needs. */
export const maxPacketLength = 1500

/** The RTP clock until a codec is negotiated: that of G.711. */
export const defaultClockRate = 8000

export type RtpHeader = {
  marker: boolean
  payloadType: number
  sequence: number
  timestamp: number
  ssrc: number
  /** Offsets in the packet: the first octet of the payload, and the one after its last. */
  payloadStart: number
  payloadEnd: number
}

export function createRtpHeader(): RtpHeader {
  return {
    marker: false,
    payloadType: 0,
    sequence: 0,
    timestamp: 0,
    ssrc: 0,
    payloadStart: 0,
    payloadEnd: 0,
  }
}

/** False unless the packet is complete, of RTP version 2, and has a payload. */
export function readRtpHeader(packet: Buffer, header: RtpHeader): boolean {
  if (packet.length <= rtpHeaderLength) return false
  const first = packet.readUInt8(0)
  if (first >> 6 !== 2) return false
  const second = packet.readUInt8(1)
  let start = rtpHeaderLength + 4 * (first & 15)
  let end = packet.length
  if (first & 0x10) {
    if (start + 4 > end) return false
    start += 4 + 4 * packet.readUInt16BE(start + 2)
  }
  if (first & 0x20) {
    const padding = packet.readUInt8(end - 1)
    if (padding === 0) return false
    end -= padding
  }
  if (start >= end) return false
  header.marker = second > 127
  header.payloadType = second & 127
  header.sequence = packet.readUInt16BE(2)
  header.timestamp = packet.readUInt32BE(4)
  header.ssrc = packet.readUInt32BE(8)
  header.payloadStart = start
  header.payloadEnd = end
  return true
}

export function writeMarkerAndType(packet: Buffer, marker: boolean, payloadType: number): void {
  packet.writeUInt8((marker ? 128 : 0) | payloadType, 1)
}

/** How far sequence number `to` is after `from`, negative when before it. */
export const sequenceStep = (from: number, to: number) => ((to - from) << 16) >> 16

/** How far timestamp `to` is after `from`, negative when before it. */
export const timestampStep = (from: number, to: number) => (to - from) | 0
