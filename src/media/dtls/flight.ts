/**
 * A flight of messages to the client: sent again as long as its response is missing (RFC 6347, 4.2.4). Each time its
 * records get new numbers.
 */
import { fragmentsOf, type HandshakeMessage } from './handshake.ts'
import { contentType, recordNumber, writeRecord } from './record.ts'
import { type DirectionKeys, sealRecord } from './record-cipher.ts'

/** `keys`: the record is encrypted, in the second epoch. */
export type FlightRecord = { type: number; fragment: Buffer; keys: DirectionKeys | undefined }

/** Below what every path carries with the headers of IPv6 and a tunnel. */
const maxDatagram = 1200
const maxFragment = 1100

const firstTimeoutMs = 400
const maxTimeoutMs = 3_200
/** A client that retransmits its flight makes us send ours again, but not for every fragment. */
const minPauseMs = 50

export function handshakeRecords(messages: HandshakeMessage[]): FlightRecord[] {
  return messages.flatMap((message) =>
    fragmentsOf(message, maxFragment).map((fragment) => ({
      type: contentType.handshake,
      fragment,
      keys: undefined,
    })),
  )
}

export function createFlights(send: (datagram: Buffer) => void) {
  const sequences = [0, 0]
  let last: FlightRecord[] = []
  let sentAt = Number.NEGATIVE_INFINITY
  let timeoutMs = firstTimeoutMs
  let isAwaited = false

  function encode({ type, fragment, keys }: FlightRecord): Buffer {
    const epoch = keys ? 1 : 0
    const sequence = sequences[epoch] ?? 0
    sequences[epoch] = sequence + 1
    const number = recordNumber(epoch, sequence)
    return writeRecord(type, number, keys ? sealRecord(keys, type, number, fragment) : fragment)
  }

  function transmit(now: number) {
    sentAt = now
    let datagram: Buffer[] = []
    let length = 0
    for (const record of last.map(encode)) {
      if (length + record.length > maxDatagram && length > 0) {
        send(Buffer.concat(datagram))
        datagram = []
        length = 0
      }
      datagram.push(record)
      length += record.length
    }
    if (length > 0) send(Buffer.concat(datagram))
  }

  return {
    /** `awaitsResponse`: repeated by the timer until the next flight of the client has come. */
    begin(records: FlightRecord[], awaitsResponse: boolean, now: number) {
      last = records
      timeoutMs = firstTimeoutMs
      isAwaited = awaitsResponse
      transmit(now)
    },
    repeat(now: number) {
      if (now - sentAt >= minPauseMs) transmit(now)
    },
    tick(now: number) {
      if (!isAwaited || now - sentAt < timeoutMs) return
      timeoutMs = Math.min(timeoutMs * 2, maxTimeoutMs)
      transmit(now)
    },
    stop() {
      isAwaited = false
    },
    /** Once, without being repeated. */
    sendOnce: (record: FlightRecord) => send(encode(record)),
  }
}
