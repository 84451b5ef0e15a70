/** RTP packets (RFC 3550 section 5.1), read into one header used over and over: nothing is made per packet. */
export const rtpHeaderLength = 12

/** What one Ethernet frame carries; a longer packet is nobody's G.711. */
export const longestPacket = 1500

/** Samples per millisecond of everything we speak: G.711, comfort noise and telephone-event run at 8 kHz. */
export const samplesPerMs = 8

export type RtpHeader = {
  marker: boolean
  payload: number
  sequence: number
  timestamp: number
  ssrc: number
  /** Where the payload begins and ends in the packet. */
  from: number
  to: number
}

export function createHeader(): RtpHeader {
  return { marker: false, payload: 0, sequence: 0, timestamp: 0, ssrc: 0, from: 0, to: 0 }
}

/** False for what is no whole RTP packet of version 2 with something in it. */
export function readRtp(packet: Buffer, header: RtpHeader): boolean {
  if (packet.length <= rtpHeaderLength) return false
  const first = packet.readUInt8(0)
  if (first >> 6 !== 2) return false
  const second = packet.readUInt8(1)
  let from = rtpHeaderLength + 4 * (first & 15)
  let to = packet.length
  if (first & 0x10) {
    if (from + 4 > to) return false
    from += 4 + 4 * packet.readUInt16BE(from + 2)
  }
  if (first & 0x20) {
    const padding = packet.readUInt8(to - 1)
    if (padding === 0) return false
    to -= padding
  }
  if (from >= to) return false
  header.marker = second > 127
  header.payload = second & 127
  header.sequence = packet.readUInt16BE(2)
  header.timestamp = packet.readUInt32BE(4)
  header.ssrc = packet.readUInt32BE(8)
  header.from = from
  header.to = to
  return true
}

export function writeRtp(packet: Buffer, header: Pick<RtpHeader, 'marker' | 'payload'>): void {
  packet.writeUInt8((header.marker ? 128 : 0) | header.payload, 1)
}

/** How far sequence number `to` is after `from`, negative when before it. */
export const sequenceStep = (from: number, to: number) => ((to - from) << 16) >> 16

/** The same for timestamps. */
export const timestampStep = (from: number, to: number) => (to - from) | 0
