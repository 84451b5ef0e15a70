/**
 * The self-signed certificate by which DTLS peers know us. They compare its fingerprint with our SDP and check nothing
 * else of it (RFC 8827, 6.5), so that one certificate per process is enough.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Identity = { certificate: Buffer; privateKey: KeyObject }

const validityMs = 5 * 365 * 24 * 3600 * 1000
const dayMs = 24 * 3600 * 1000

/** DER tags. */
const tag = {
  integer: 0x02,
  bitString: 0x03,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
}

/** The object identifiers `ecdsa-with-SHA256` and `commonName`, encoded. */
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex')
const commonName = Buffer.from('0603550403', 'hex')

export function createIdentity(now: Date): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = der(tag.sequence, ecdsaWithSha256)
  const name = der(
    tag.sequence,
    der(tag.set, der(tag.sequence, commonName, der(tag.utf8, Buffer.from('ramal')))),
  )
  const toBeSigned = der(
    tag.sequence,
    der(tag.version, der(tag.integer, Buffer.from([2]))),
    der(tag.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(tag.sequence, utcTime(now.getTime() - dayMs), utcTime(now.getTime() + validityMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)])
  return {
    certificate: der(tag.sequence, toBeSigned, algorithm, der(tag.bitString, signature)),
    privateKey,
  }
}

function der(type: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([type, content.length]), content])
  const length =
    content.length < 256 ? [0x81, content.length] : [0x82, content.length >> 8, content.length & 255]
  return Buffer.concat([Buffer.from([type, ...length]), content])
}

/** `261115201500Z` */
function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return der(tag.utcTime, Buffer.from(`${digits}Z`))
}

/** The hash functions of RFC 8122 that are not broken. */
export const fingerprintHashes = ['sha-256', 'sha-384', 'sha-512'] as const
export type FingerprintHash = (typeof fingerprintHashes)[number]

/** As in SDP: `sha-256`, and the octets of the hash as `4A:AD:…`. */
export type Fingerprint = { hash: FingerprintHash; value: string }

export function fingerprintOf(certificate: Buffer, hash: FingerprintHash = 'sha-256'): Fingerprint {
  const digest = createHash(hash.replace('-', '')).update(certificate).digest('hex').toUpperCase()
  return { hash, value: digest.match(/../g)?.join(':') ?? '' }
}
