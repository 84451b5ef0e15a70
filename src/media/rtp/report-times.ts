/** The times in RTCP reports (RFC 3550, 6.4.1), for the round trip. */
const senderReport = 200
const receiverReport = 201
const blockLength = 24

type Times = {
  /** The middle of the NTP time of a sender report. */
  onSent(ntpMiddle: number): void
  /** A report block names the sender report that it answers, and how long ago that came. */
  onAnswered(lastReport: number, delay: number): void
}

/** The packet is a valid compound packet (`isRtcp`). */
export function readReportTimes(packet: Buffer, { onSent, onAnswered }: Times) {
  for (let at = 0; at + 8 <= packet.length; at += 4 * (packet.readUInt16BE(at + 2) + 1)) {
    const type = packet.readUInt8(at + 1)
    const end = at + 4 * (packet.readUInt16BE(at + 2) + 1)
    if (type === senderReport && at + 28 <= end) onSent(packet.readUInt32BE(at + 10))
    if (type !== senderReport && type !== receiverReport) continue
    const first = at + (type === senderReport ? 28 : 8)
    for (let block = first; block + blockLength <= end; block += blockLength)
      onAnswered(packet.readUInt32BE(block + 16), packet.readUInt32BE(block + 20))
  }
}
