/**
 * Encrypts small secrets at rest (AES-256-GCM, a new nonce for each) and signs texts; both are bound to a purpose.
 * A vault has several keys while the secret key is rotated: it opens what any of them sealed and seals with one.
 *
 *   sealed value = mark, key id (8 bytes), nonce (12), tag (16), ciphertext
 *
 * Values sealed before keys had ids begin with the nonce.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const mark = Buffer.from('RSK1')
const idBytes = 8
const nonceBytes = 12
const tagBytes = 16

type VaultKey = { key: Buffer; fingerprint: string; header: Buffer }

export class UnknownKeyError extends Error {
  override name = 'UnknownKeyError'
}

export function createVault(first: Buffer, ...others: Buffer[]) {
  const keys = new Map<string, VaultKey>()
  let onUnknownKey = () => {}
  let sealing = add(first)
  for (const other of others) add(other)

  function add(key: Buffer): VaultKey {
    const fingerprint = fingerprintOf(key)
    const known = keys.get(fingerprint)
    if (known) return known
    const header = Buffer.concat([mark, Buffer.from(fingerprint, 'hex').subarray(0, idBytes)])
    const added = { key, fingerprint, header }
    keys.set(fingerprint, added)
    return added
  }

  /** Opening needs the same `purpose`: a sealed mail cannot be used as a sealed password. */
  function seal(purpose: string, text: string): Buffer {
    const { key, header } = sealing
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
  }

  function open(purpose: string, sealed: Buffer): string {
    for (const { key, header } of keys.values()) {
      if (startsWith(sealed, header)) return decrypt(key, purpose, sealed.subarray(header.length))
    }
    if (startsWith(sealed, mark)) {
      onUnknownKey()
      const id = sealed.subarray(mark.length, mark.length + idBytes).toString('hex')
      throw new UnknownKeyError(
        `a stored value was sealed with the key ${id}, which this process does not have`,
      )
    }
    return openWithoutId(purpose, sealed)
  }

  function openWithoutId(purpose: string, sealed: Buffer): string {
    let failure: unknown
    for (const { key } of keys.values()) {
      try {
        return decrypt(key, purpose, sealed)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** Signs a text; a signature for one purpose is invalid for another. */
  function sign(purpose: string, text: string): Buffer {
    return signWith(signingKeyOf(sealing.key, purpose), text)
  }

  return {
    seal,
    open,
    sign,
    /** Signatures by every key: any of them is genuine, as processes change their key at different moments. */
    signWithAll: (purpose: string, text: string): Buffer[] =>
      [...keys.values()].map(({ key }) => signWith(signingKeyOf(key, purpose), text)),
    /** The key that `sign` uses for a purpose. */
    signingKey: (purpose: string): Buffer => signingKeyOf(sealing.key, purpose),
    add: (key: Buffer): string => add(key).fingerprint,
    fingerprints: (): string[] => [...keys.keys()],
    sealsWith: (): string => sealing.fingerprint,
    /** Seals with this key from now on; false if the vault does not have it. */
    sealWith(fingerprint: string): boolean {
      const key = keys.get(fingerprint)
      if (key) sealing = key
      return key !== undefined
    },
    /** What values begin with that the present key has sealed. */
    header: (): Buffer => sealing.header,
    onUnknownKey(listener: () => void) {
      onUnknownKey = listener
    },
  }
}
export type Vault = ReturnType<typeof createVault>

/** Identifies a key without revealing it. */
export function fingerprintOf(key: Buffer): string {
  return createHmac('sha256', key).update('ramal key fingerprint').digest('hex').slice(0, 32)
}

export function signWith(signingKey: Buffer, text: string): Buffer {
  return createHmac('sha256', signingKey).update(text).digest()
}

function signingKeyOf(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(`ramal signature\0${purpose}`).digest()
}

function decrypt(key: Buffer, purpose: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.length > prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
}
