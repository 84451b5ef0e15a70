/** The session keys of SRTP and SRTCP, derived from a master key (RFC 3711, 4.3) for AES_CM_128_HMAC_SHA1_80. */
import { createCipheriv } from 'node:crypto'

export const masterKeyLength = 16
export const masterSaltLength = 14
const authKeyLength = 20

/** What one side protects its packets with; exchanged by SDES or DTLS. */
export type MasterKey = { key: Buffer; salt: Buffer }

/** From base64, the key before the salt. Throws if it has another length. */
export function readMasterKey(text: string): MasterKey {
  const octets = Buffer.from(text, 'base64')
  if (octets.length !== masterKeyLength + masterSaltLength) throw new RangeError('an SRTP key has 30 octets')
  return { key: octets.subarray(0, masterKeyLength), salt: octets.subarray(masterKeyLength) }
}

export type SessionKeys = { encryption: Buffer; authentication: Buffer; salt: Buffer }

const labels = { rtp: 0, rtcp: 3 } as const

export function deriveSessionKeys(master: MasterKey, kind: keyof typeof labels): SessionKeys {
  const label = labels[kind]
  return {
    encryption: derive(master, label, masterKeyLength),
    authentication: derive(master, label + 1, authKeyLength),
    salt: derive(master, label + 2, masterSaltLength),
  }
}

/** RFC 3711, 4.3.3: the key stream of AES-CTR, begun at the salt with the label at its seventh octet. */
function derive({ key, salt }: MasterKey, label: number, length: number): Buffer {
  const start = Buffer.alloc(16)
  salt.copy(start)
  start.writeUInt8(start.readUInt8(7) ^ label, 7)
  return createCipheriv('aes-128-ctr', key, start).update(Buffer.alloc(length))
}
