/**
 * DTLS 1.2 records (RFC 6347, 4.1): several may share a datagram.
 *
 *   type 1 | version 2 | epoch 2 | sequence number 6 | length 2 | fragment
 */
export const contentType = { changeCipherSpec: 20, alert: 21, handshake: 22 } as const

export const dtls12 = 0xfefd
const recordHeaderLength = 13

export type DtlsRecord = {
  type: number
  epoch: number
  /** The epoch and the sequence number, as the cipher needs them. */
  number: Buffer
  fragment: Buffer
}

/** Whether a datagram is DTLS rather than STUN or RTP (RFC 7983). */
export function isDtls(packet: Buffer): boolean {
  const first = packet[0] ?? 0
  return first >= contentType.changeCipherSpec && first <= 63
}

/** The complete records of a datagram; what follows a malformed one is dropped. */
export function readRecords(datagram: Buffer): DtlsRecord[] {
  const records: DtlsRecord[] = []
  for (let at = 0; at + recordHeaderLength <= datagram.length; ) {
    const start = at + recordHeaderLength
    const end = start + datagram.readUInt16BE(at + 11)
    if (datagram.readUInt8(at + 1) !== dtls12 >> 8 || end > datagram.length) return records
    records.push({
      type: datagram.readUInt8(at),
      epoch: datagram.readUInt16BE(at + 3),
      number: datagram.subarray(at + 3, at + 11),
      fragment: datagram.subarray(start, end),
    })
    at = end
  }
  return records
}

export function recordNumber(epoch: number, sequence: number): Buffer {
  const number = Buffer.alloc(8)
  number.writeUInt16BE(epoch, 0)
  number.writeUIntBE(sequence, 2, 6)
  return number
}

export function writeRecord(type: number, number: Buffer, fragment: Buffer): Buffer {
  const record = Buffer.alloc(recordHeaderLength + fragment.length)
  record.writeUInt8(type, 0)
  record.writeUInt16BE(dtls12, 1)
  number.copy(record, 3)
  record.writeUInt16BE(fragment.length, 11)
  fragment.copy(record, recordHeaderLength)
  return record
}
