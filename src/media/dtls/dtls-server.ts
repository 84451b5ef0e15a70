/**
 * A DTLS 1.2 server (RFC 6347) that exchanges the keys of SRTP (RFC 5764) and nothing else.
 *
 *   client                                        server
 *   ClientHello                            ──▶
 *                                          ◀──    ServerHello, Certificate, ServerKeyExchange,
 *                                                 CertificateRequest, ServerHelloDone
 *   Certificate, ClientKeyExchange,
 *   CertificateVerify, CCS, Finished       ──▶
 *                                          ◀──    CCS, Finished
 *
 * There is no cookie exchange: the client's address has proven itself by ICE, or is that of its signalling. The client's
 * certificate must be the one of its SDP, so that only the peer of the call gets keys.
 */
import { createECDH, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import type { MasterKey } from '../srtp/session-keys.ts'
import type { Fingerprint, Identity } from './certificate.ts'
import { createFlights, type FlightRecord, handshakeRecords } from './flight.ts'
import { createReassembly, type HandshakeMessage, messageType, writeMessage } from './handshake.ts'
import {
  alertOf,
  ecdhParameters,
  HandshakeFailure,
  readClientHello,
  serverHello,
  signatureScheme,
} from './hello.ts'
import { masterSecret, type Randoms, recordKeys, srtpKeys, verifyData } from './key-schedule.ts'
import { checkSignature, readPeerKey } from './peer-certificate.ts'
import { createReader, pair, TruncatedMessage, vector } from './reader.ts'
import { contentType, type DtlsRecord, readRecords } from './record.ts'
import { openRecord } from './record-cipher.ts'

export type DtlsKeys = { ours: MasterKey; theirs: MasterKey }

type Options = {
  identity: Identity
  /** Fingerprint of the client's certificate, from its SDP. */
  expected: Fingerprint
  send(datagram: Buffer): void
  onKeys(keys: DtlsKeys): void
  /** The client ended the session or cannot be trusted; `reason` is for the log. */
  onEnd(reason: string): void
}

/** What a step leaves for the next one. */
type Session = {
  randoms: Randoms
  ecdh: ReturnType<typeof createECDH>
  peerKey?: ReturnType<typeof readPeerKey>
  isPeerProven?: boolean
  master?: Buffer
  keys?: ReturnType<typeof recordKeys>
}

const fatal = 2
const closeNotify = 0
/** Encrypted records that came before the messages they follow. */
const maxEarly = 4

/** The order of the client's messages; each number is that of its handshake message. */
const clientMessages = [
  messageType.clientHello,
  messageType.certificate,
  messageType.clientKeyExchange,
  messageType.certificateVerify,
  messageType.finished,
]

export function createDtlsServer({ identity, expected, send, onKeys, onEnd }: Options) {
  const flights = createFlights(send)
  const reassembly = createReassembly()
  const transcript: Buffer[] = []
  let session: Session | undefined
  let early: DtlsRecord[] = []
  let state: 'handshake' | 'done' | 'ended' = 'handshake'

  function receive(datagram: Buffer, now: number) {
    for (const record of readRecords(datagram)) takeRecord(record, now)
    if (!session?.keys || early.length === 0) return
    const waiting = early
    early = []
    for (const record of waiting) takeRecord(record, now)
  }

  function takeRecord(record: DtlsRecord, now: number) {
    if (state === 'ended') return
    if (record.epoch === 0) {
      // Neither an alert nor the change of the cipher is proven here; a lost session ends by its timeout.
      if (record.type === contentType.handshake) takeHandshake(record.fragment, 0, now)
    } else if (record.epoch === 1) takeEncrypted(record, now)
  }

  function takeEncrypted(record: DtlsRecord, now: number) {
    if (!session?.keys) {
      if (early.length < maxEarly) early.push({ ...record, fragment: Buffer.from(record.fragment) })
      return
    }
    const text = openRecord(session.keys.client, record.type, record.number, record.fragment)
    if (!text) return
    if (record.type === contentType.handshake) takeHandshake(text, 1, now)
    if (record.type === contentType.alert && state === 'done') takeAlert(text)
  }

  function takeAlert(text: Buffer) {
    if (text[0] === fatal || text[1] === closeNotify) end(`alert ${text[1]} of the client`)
  }

  function takeHandshake(fragments: Buffer, epoch: number, now: number) {
    const { messages, isRepeated } = reassembly.take(fragments)
    try {
      for (const message of messages) step(message, epoch, now)
    } catch (error) {
      fail(error)
      return
    }
    if (isRepeated && messages.length === 0) flights.repeat(now)
  }

  /** A message in its turn; any other, and any after the last, is a failure. */
  function step(message: HandshakeMessage, epoch: number, now: number) {
    const isInEpoch = epoch === (message.type === messageType.finished ? 1 : 0)
    if (message.type !== clientMessages[message.number] || !isInEpoch) {
      throw new HandshakeFailure(alertOf.handshakeFailure, 'a message out of turn')
    }
    if (message.type === messageType.clientHello) return answerHello(message, now)
    if (!session) throw new HandshakeFailure(alertOf.handshakeFailure, 'no ClientHello')
    if (message.type === messageType.certificate) session.peerKey = readPeerKey(message.body, expected)
    if (message.type === messageType.certificateVerify) proveClient(session, message)
    if (message.type === messageType.finished) return finish(session, message, now)
    transcript.push(message.whole)
    if (message.type === messageType.clientKeyExchange) agreeKeys(session, message)
  }

  function answerHello(hello: HandshakeMessage, now: number) {
    const client = readClientHello(hello.body)
    const ecdh = createECDH('prime256v1')
    const parameters = ecdhParameters(ecdh.generateKeys())
    const randoms = { client: Buffer.from(client.random), server: randomBytes(32) }
    const signed = Buffer.concat([randoms.client, randoms.server, parameters])
    const signature = sign('sha256', signed, identity.privateKey)
    const bodies: [number, Buffer][] = [
      [messageType.serverHello, serverHello(randoms.server, client)],
      [messageType.certificate, vector(3, vector(3, identity.certificate))],
      [
        messageType.serverKeyExchange,
        Buffer.concat([parameters, pair(signatureScheme.ecdsaSha256), vector(2, signature)]),
      ],
      [messageType.certificateRequest, certificateRequest],
      [messageType.serverHelloDone, Buffer.alloc(0)],
    ]
    const messages = bodies.map(([type, body], number) => writeMessage(type, number, body))
    session = { randoms, ecdh }
    transcript.push(hello.whole, ...messages.map(({ whole }) => whole))
    flights.begin(handshakeRecords(messages), true, now)
  }

  function agreeKeys(agreed: Session, { body }: HandshakeMessage) {
    agreed.master = masterSecret(sharedSecret(agreed.ecdh, createReader(body).vector(1)), transcript)
    agreed.keys = recordKeys(agreed.master, agreed.randoms)
  }

  function proveClient(proven: Session, message: HandshakeMessage) {
    if (!proven.peerKey) throw new HandshakeFailure(alertOf.badCertificate, 'no certificate')
    checkSignature(message.body, proven.peerKey, transcript)
    proven.isPeerProven = true
  }

  function finish({ master, keys, randoms, isPeerProven }: Session, message: HandshakeMessage, now: number) {
    if (!master || !keys || !isPeerProven) throw new HandshakeFailure(alertOf.handshakeFailure, 'no keys yet')
    const verified = verifyData(master, 'client', transcript)
    if (message.body.length !== verified.length || !timingSafeEqual(message.body, verified)) {
      throw new HandshakeFailure(alertOf.decryptError, 'wrong end of the handshake')
    }
    transcript.push(message.whole)
    const finished = writeMessage(
      messageType.finished,
      serverFinished,
      verifyData(master, 'server', transcript),
    )
    const records: FlightRecord[] = [
      { type: contentType.changeCipherSpec, fragment: Buffer.from([1]), keys: undefined },
      { type: contentType.handshake, fragment: finished.whole, keys: keys.server },
    ]
    state = 'done'
    transcript.length = 0
    flights.begin(records, false, now)
    const srtp = srtpKeys(master, randoms)
    onKeys({ ours: srtp.server, theirs: srtp.client })
  }

  function fail(error: unknown) {
    const isTruncated = error instanceof TruncatedMessage
    if (!(error instanceof HandshakeFailure) && !isTruncated) throw error
    const alert = error instanceof HandshakeFailure ? error.alert : alertOf.decodeError
    flights.sendOnce({ type: contentType.alert, fragment: Buffer.from([fatal, alert]), keys: undefined })
    end(error.message)
  }

  function end(reason: string) {
    state = 'ended'
    flights.stop()
    onEnd(reason)
  }

  return { receive, tick: flights.tick }
}
export type DtlsServer = ReturnType<typeof createDtlsServer>

/** After the five messages of the first flight. */
const serverFinished = 5

const clientCertificateTypes = { ecdsaSign: 64, rsaSign: 1 } as const

const certificateRequest = Buffer.concat([
  vector(1, Buffer.from([clientCertificateTypes.ecdsaSign, clientCertificateTypes.rsaSign])),
  vector(2, ...Object.values(signatureScheme).map(pair)),
  vector(2),
])

function sharedSecret(ecdh: ReturnType<typeof createECDH>, point: Buffer): Buffer {
  try {
    return ecdh.computeSecret(point)
  } catch {
    throw new HandshakeFailure(alertOf.illegalParameter, 'not a point of the curve')
  }
}
