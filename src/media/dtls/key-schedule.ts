/** The keys of a DTLS 1.2 session (RFC 5246, 5 and 6.3; RFC 7627; RFC 5764, 4.2). */
import { createHash, createHmac } from 'node:crypto'
import { type MasterKey, masterKeyLength, masterSaltLength } from '../srtp/session-keys.ts'
import { cipherKeyLength, cipherSaltLength, type DirectionKeys } from './record-cipher.ts'

const masterSecretLength = 48
const verifyDataLength = 12

const hashOf = (transcript: Buffer[]) => {
  const hash = createHash('sha256')
  for (const message of transcript) hash.update(message)
  return hash.digest()
}

/** P_SHA256 of RFC 5246, 5. */
function prf(secret: Buffer, label: string, seed: Buffer, length: number): Buffer {
  const labelled = Buffer.concat([Buffer.from(label), seed])
  const blocks: Buffer[] = []
  let a = labelled
  for (let made = 0; made < length; made += 32) {
    a = hmac(secret, a)
    blocks.push(hmac(secret, Buffer.concat([a, labelled])))
  }
  return Buffer.concat(blocks).subarray(0, length)
}

const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest()

/** The extended master secret: bound to the handshake up to the client's key. */
export function masterSecret(shared: Buffer, transcript: Buffer[]): Buffer {
  return prf(shared, 'extended master secret', hashOf(transcript), masterSecretLength)
}

export type Randoms = { client: Buffer; server: Buffer }

export function recordKeys(
  master: Buffer,
  { client, server }: Randoms,
): Record<keyof Randoms, DirectionKeys> {
  const seed = Buffer.concat([server, client])
  return keysOf(master, 'key expansion', seed, cipherKeyLength, cipherSaltLength)
}

/** The master keys of SRTP: the client protects with one, the server with the other. */
export function srtpKeys(master: Buffer, { client, server }: Randoms): Record<keyof Randoms, MasterKey> {
  const seed = Buffer.concat([client, server])
  return keysOf(master, 'EXTRACTOR-dtls_srtp', seed, masterKeyLength, masterSaltLength)
}

/** Both keys come before both salts. */
function keysOf(master: Buffer, label: string, seed: Buffer, keyLength: number, saltLength: number) {
  const block = prf(master, label, seed, 2 * (keyLength + saltLength))
  const keyAt = (n: number) => block.subarray(n * keyLength, (n + 1) * keyLength)
  const salts = block.subarray(2 * keyLength)
  const saltAt = (n: number) => salts.subarray(n * saltLength, (n + 1) * saltLength)
  return { client: { key: keyAt(0), salt: saltAt(0) }, server: { key: keyAt(1), salt: saltAt(1) } }
}

export function verifyData(master: Buffer, who: keyof Randoms, transcript: Buffer[]): Buffer {
  return prf(master, `${who} finished`, hashOf(transcript), verifyDataLength)
}
