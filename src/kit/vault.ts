/** Encrypts small secrets at rest (AES-256-GCM, a new nonce for each) and signs texts; both are bound to a purpose. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

export function createVault(key: Buffer) {
  /** Opening needs the same `purpose`: a sealed mail cannot be used as a sealed password. */
  function seal(purpose: string, text: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  function open(purpose: string, sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
    return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Signs a text; a signature for one purpose is invalid for another. */
  function sign(purpose: string, text: string): Buffer {
    const derived = createHmac('sha256', key).update(`ramal signature\0${purpose}`).digest()
    return createHmac('sha256', derived).update(text).digest()
  }

  /** Identifies the key without revealing it. */
  const fingerprint = createHmac('sha256', key).update('ramal key fingerprint').digest('hex').slice(0, 32)

  return { seal, open, sign, fingerprint }
}
export type Vault = ReturnType<typeof createVault>
