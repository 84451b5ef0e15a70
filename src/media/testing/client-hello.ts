/** The first datagram of a DTLS client. */
import { randomBytes } from 'node:crypto'
import { messageType, writeMessage } from '../dtls/handshake.ts'
import { pair, vector } from '../dtls/reader.ts'
import { contentType, recordNumber, writeRecord } from '../dtls/record.ts'

/** A handshake message in a record of its own. */
export const handshakeRecord = (type: number, number: number, body: Buffer) =>
  writeRecord(contentType.handshake, recordNumber(0, number), writeMessage(type, number, body).whole)

const extension = (type: number, value: Buffer) => Buffer.concat([pair(type), vector(2, value)])

/** With the one cipher suite, curve, signature and SRTP profile that the server has. */
export function clientHello(): Buffer {
  const extensions = [
    extension(10, vector(2, pair(0x0017))),
    extension(13, vector(2, pair(0x0403))),
    extension(14, Buffer.concat([vector(2, pair(1)), vector(1)])),
    extension(23, Buffer.alloc(0)),
  ]
  const body = Buffer.concat([
    pair(0xfefd),
    randomBytes(32),
    vector(1),
    vector(1),
    vector(2, pair(0xc02b)),
    vector(1, Buffer.from([0])),
    vector(2, ...extensions),
  ])
  return handshakeRecord(messageType.clientHello, 0, body)
}
