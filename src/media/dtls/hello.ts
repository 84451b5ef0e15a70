/** ClientHello and ServerHello: one cipher suite, one curve, one SRTP profile; all browsers and phones have them. */

import { createReader, pair, readPairs, vector } from './reader.ts'
import { dtls12 } from './record.ts'

/** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 */
const cipherSuite = 0xc02b
const secp256r1 = 0x0017
/** SRTP_AES128_CM_HMAC_SHA1_80 */
const srtpProfile = 0x0001

export const signatureScheme = {
  ecdsaSha256: 0x0403,
  rsaPssSha256: 0x0804,
  rsaSha256: 0x0401,
} as const

const extension = {
  supportedGroups: 10,
  pointFormats: 11,
  signatureAlgorithms: 13,
  useSrtp: 14,
  extendedMasterSecret: 23,
  renegotiationInfo: 0xff01,
} as const

export type ClientHello = { random: Buffer; extensions: Map<number, Buffer> }

/** Why a handshake cannot go on, as the alert of RFC 5246, 7.2. */
export class HandshakeFailure extends Error {
  readonly alert: number
  constructor(alert: number, message: string) {
    super(message)
    this.alert = alert
  }
}

export const alertOf = {
  handshakeFailure: 40,
  badCertificate: 42,
  illegalParameter: 47,
  decodeError: 50,
  decryptError: 51,
  protocolVersion: 70,
} as const

/** Throws if the client and we have nothing in common. */
export function readClientHello(body: Buffer): ClientHello {
  const reader = createReader(body)
  const version = reader.number(2)
  const random = reader.octets(32)
  reader.vector(1)
  reader.vector(1)
  const suites = readPairs(reader.vector(2))
  reader.vector(1)
  const extensions = readExtensions(reader.isAtEnd() ? Buffer.alloc(0) : reader.vector(2))
  // Versions of DTLS count downwards.
  if (version > dtls12) throw new HandshakeFailure(alertOf.protocolVersion, 'DTLS before 1.2')
  demand(suites.includes(cipherSuite), 'no common cipher suite')
  demand(extensions.has(extension.extendedMasterSecret), 'no extended master secret')
  demand(listOf(extensions.get(extension.useSrtp)).includes(srtpProfile), 'no common SRTP profile')
  const groups = extensions.get(extension.supportedGroups)
  demand(!groups || listOf(groups).includes(secp256r1), 'no common curve')
  const schemes = extensions.get(extension.signatureAlgorithms)
  demand(!schemes || listOf(schemes).includes(signatureScheme.ecdsaSha256), 'no common signature')
  return { random, extensions }
}

function demand(condition: boolean, otherwise: string) {
  if (!condition) throw new HandshakeFailure(alertOf.handshakeFailure, otherwise)
}

function readExtensions(vectorOfAll: Buffer): Map<number, Buffer> {
  const reader = createReader(vectorOfAll)
  const extensions = new Map<number, Buffer>()
  while (!reader.isAtEnd()) {
    const type = reader.number(2)
    extensions.set(type, reader.vector(2))
  }
  return extensions
}

/** The numbers in a vector of them; none if it is missing. */
function listOf(value: Buffer | undefined): number[] {
  return value ? readPairs(createReader(value).vector(2)) : []
}

export function serverHello(random: Buffer, { extensions }: ClientHello): Buffer {
  const answered = [
    extensionOf(extension.renegotiationInfo, vector(1)),
    extensionOf(extension.extendedMasterSecret, Buffer.alloc(0)),
    extensionOf(extension.useSrtp, Buffer.concat([vector(2, pair(srtpProfile)), vector(1)])),
  ]
  if (extensions.has(extension.pointFormats)) {
    answered.push(extensionOf(extension.pointFormats, vector(1, Buffer.from([0]))))
  }
  return Buffer.concat([
    pair(dtls12),
    random,
    vector(1),
    pair(cipherSuite),
    Buffer.from([0]),
    vector(2, ...answered),
  ])
}

function extensionOf(type: number, value: Buffer): Buffer {
  return Buffer.concat([pair(type), vector(2, value)])
}

const namedCurve = 3

/** The parameters of the key exchange: our point on the curve. */
export function ecdhParameters(point: Buffer): Buffer {
  return Buffer.concat([Buffer.from([namedCurve]), pair(secp256r1), vector(1, point)])
}
