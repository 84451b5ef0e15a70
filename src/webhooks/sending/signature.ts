/** Signatures by Standard Webhooks 1.0 (D87: signed are the id, the second of the attempt and the body). */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const prefix = 'whsec_'
const maxKeys = 5_000

type SignedMessage = {
  id: string
  at: Date
  body: string
  /** The newest first; each makes a signature. */
  secrets: string[]
}

export function createSigner() {
  /** Parsed keys by secret: parsing costs more than signing. */
  const keys = new Map<string, KeyObject>()

  function keyOf(secret: string): KeyObject {
    const known = keys.get(secret)
    if (known) return known
    const [oldest] = keys.keys()
    if (keys.size >= maxKeys && oldest !== undefined) keys.delete(oldest)
    const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
    const key = createSecretKey(Buffer.from(text, 'base64'))
    keys.set(secret, key)
    return key
  }

  function sign(text: string, secret: string): string {
    return createHmac('sha256', keyOf(secret)).update(text, 'utf8').digest('base64')
  }

  return function signatureHeaders({ id, at, body, secrets }: SignedMessage): Record<string, string> {
    const seconds = Math.floor(at.getTime() / 1000)
    const signed = `${id}.${seconds}.${body}`
    return {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': secrets.map((secret) => `v1,${sign(signed, secret)}`).join(' '),
    }
  }
}
