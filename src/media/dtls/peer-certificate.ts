/** The client's certificate: compared with the fingerprint of its SDP, and its key with the handshake. */
import { constants, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { type Fingerprint, fingerprintOf } from './certificate.ts'
import { alertOf, HandshakeFailure, signatureScheme } from './hello.ts'
import { createReader } from './reader.ts'

/** The public key of the first certificate, if it is the one that the SDP announced. */
export function readPeerKey(body: Buffer, expected: Fingerprint): KeyObject {
  const chain = createReader(createReader(body).vector(3))
  if (chain.isAtEnd()) throw new HandshakeFailure(alertOf.badCertificate, 'no certificate')
  const certificate = chain.vector(3)
  if (fingerprintOf(certificate, expected.hash).value !== expected.value.toUpperCase()) {
    throw new HandshakeFailure(alertOf.badCertificate, 'the certificate is not that of the SDP')
  }
  try {
    return new X509Certificate(certificate).publicKey
  } catch {
    throw new HandshakeFailure(alertOf.badCertificate, 'malformed certificate')
  }
}

/** Throws unless the client signed the handshake with the key of its certificate. */
export function checkSignature(body: Buffer, key: KeyObject, transcript: Buffer[]): void {
  const reader = createReader(body)
  const scheme = reader.number(2)
  const signature = reader.vector(2)
  if (!isSigned(scheme, Buffer.concat(transcript), key, signature)) {
    throw new HandshakeFailure(alertOf.decryptError, 'wrong signature of the client')
  }
}

function isSigned(scheme: number, data: Buffer, key: KeyObject, signature: Buffer): boolean {
  const isRsa = key.asymmetricKeyType === 'rsa'
  try {
    if (scheme === signatureScheme.ecdsaSha256) return !isRsa && verify('sha256', data, key, signature)
    if (scheme === signatureScheme.rsaSha256) return isRsa && verify('sha256', data, key, signature)
    if (scheme !== signatureScheme.rsaPssSha256) return false
    const pss = {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }
    return isRsa && verify('sha256', data, pss, signature)
  } catch {
    return false
  }
}
