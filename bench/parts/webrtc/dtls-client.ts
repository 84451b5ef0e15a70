/** The client of a DTLS handshake, as a browser does it: one certificate for all, and no check of the server's. */
import { createECDH, randomBytes, sign } from 'node:crypto'
import type { Identity } from '../../../src/media/dtls/certificate.ts'
import type { DtlsKeys } from '../../../src/media/dtls/dtls-server.ts'
import { createFlights, type FlightRecord, handshakeRecords } from '../../../src/media/dtls/flight.ts'
import {
  createReassembly,
  type HandshakeMessage,
  messageType,
  writeMessage,
} from '../../../src/media/dtls/handshake.ts'
import { signatureScheme } from '../../../src/media/dtls/hello.ts'
import { masterSecret, recordKeys, srtpKeys, verifyData } from '../../../src/media/dtls/key-schedule.ts'
import { createReader, pair, vector } from '../../../src/media/dtls/reader.ts'
import { contentType, dtls12, readRecords } from '../../../src/media/dtls/record.ts'

type Options = {
  identity: Identity
  send(datagram: Buffer): void
  onKeys(keys: DtlsKeys): void
}

const secp256r1 = 23
const extensionOf = (type: number, value: Buffer) => Buffer.concat([pair(type), vector(2, value)])

/** Groups, point formats, signatures, use_srtp, extended master secret, renegotiation. */
const extensions = vector(
  2,
  extensionOf(10, vector(2, pair(secp256r1))),
  extensionOf(11, vector(1, Buffer.from([0]))),
  extensionOf(13, vector(2, pair(signatureScheme.ecdsaSha256))),
  extensionOf(14, Buffer.concat([vector(2, pair(1)), vector(1)])),
  extensionOf(23, Buffer.alloc(0)),
  extensionOf(0xff01, vector(1)),
)
const ecdheEcdsaAes128Gcm = 0xc02b

export function createDtlsClient({ identity, send, onKeys }: Options) {
  const flights = createFlights(send)
  const reassembly = createReassembly()
  const transcript: Buffer[] = []
  const random = { client: randomBytes(32), server: Buffer.alloc(0) }
  let point = Buffer.alloc(0)
  let master: Buffer | undefined
  let isDone = false

  function start(now: number) {
    const body = Buffer.concat([
      pair(dtls12),
      random.client,
      vector(1),
      vector(1),
      vector(2, pair(ecdheEcdsaAes128Gcm)),
      vector(1, Buffer.from([0])),
      extensions,
    ])
    const hello = writeMessage(messageType.clientHello, 0, body)
    transcript.push(hello.whole)
    flights.begin(handshakeRecords([hello]), true, now)
  }

  function receive(datagram: Buffer, now: number) {
    for (const { type, epoch, fragment } of readRecords(datagram)) {
      if (type !== contentType.handshake) continue
      if (epoch === 0) for (const message of reassembly.take(fragment).messages) step(message, now)
      else finish()
    }
  }

  function step(message: HandshakeMessage, now: number) {
    transcript.push(message.whole)
    if (message.type === messageType.serverHello) random.server = Buffer.from(message.body.subarray(2, 34))
    if (message.type === messageType.serverKeyExchange) {
      const reader = createReader(message.body)
      reader.number(1)
      reader.number(2)
      point = Buffer.from(reader.vector(1))
    }
    if (message.type === messageType.serverHelloDone) answer(now)
  }

  function answer(now: number) {
    const ecdh = createECDH('prime256v1')
    const ours = ecdh.generateKeys()
    const certificate = writeMessage(messageType.certificate, 1, vector(3, vector(3, identity.certificate)))
    const exchange = writeMessage(messageType.clientKeyExchange, 2, vector(1, ours))
    transcript.push(certificate.whole, exchange.whole)
    master = masterSecret(ecdh.computeSecret(point), transcript)
    const signature = sign('sha256', Buffer.concat(transcript), identity.privateKey)
    const proof = writeMessage(
      messageType.certificateVerify,
      3,
      Buffer.concat([pair(signatureScheme.ecdsaSha256), vector(2, signature)]),
    )
    transcript.push(proof.whole)
    const finished = writeMessage(messageType.finished, 4, verifyData(master, 'client', transcript))
    const records: FlightRecord[] = [
      ...handshakeRecords([certificate, exchange, proof]),
      { type: contentType.changeCipherSpec, fragment: Buffer.from([1]), keys: undefined },
      {
        type: contentType.handshake,
        fragment: finished.whole,
        keys: recordKeys(master, random).client,
      },
    ]
    flights.begin(records, true, now)
  }

  /** The server's last flight: it has our keys. */
  function finish() {
    if (!master || isDone) return
    isDone = true
    flights.stop()
    const { client, server } = srtpKeys(master, random)
    onKeys({ ours: client, theirs: server })
  }

  return { start, receive, tick: flights.tick }
}
