/** Encrypts records with AES-128-GCM (RFC 5288): the nonce is the salt of the direction and the number of the record. */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { dtls12 } from './record.ts'

export const cipherKeyLength = 16
export const cipherSaltLength = 4

const cipherName = 'aes-128-gcm'
const explicitLength = 8
const tagLength = 16

export type DirectionKeys = { key: Buffer; salt: Buffer }

/** The explicit part of the nonce, the encrypted text, the tag. */
export function sealRecord({ key, salt }: DirectionKeys, type: number, number: Buffer, text: Buffer): Buffer {
  const cipher = createCipheriv(cipherName, key, Buffer.concat([salt, number]))
  cipher.setAAD(additionalData(type, number, text.length))
  return Buffer.concat([number, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Undefined if it is not authentic. */
export function openRecord(
  { key, salt }: DirectionKeys,
  type: number,
  number: Buffer,
  fragment: Buffer,
): Buffer | undefined {
  const length = fragment.length - explicitLength - tagLength
  if (length < 0) return undefined
  const nonce = Buffer.concat([salt, fragment.subarray(0, explicitLength)])
  const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagLength })
  decipher.setAAD(additionalData(type, number, length))
  decipher.setAuthTag(fragment.subarray(fragment.length - tagLength))
  try {
    const text = decipher.update(fragment.subarray(explicitLength, explicitLength + length))
    return Buffer.concat([text, decipher.final()])
  } catch {
    return undefined
  }
}

function additionalData(type: number, number: Buffer, length: number): Buffer {
  const data = Buffer.alloc(13)
  number.copy(data)
  data.writeUInt8(type, 8)
  data.writeUInt16BE(dtls12, 9)
  data.writeUInt16BE(length, 11)
  return data
}
