/** Signatures by Standard Webhooks 1.0 (D87): what is signed is the id, the second of the attempt and the body. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const prefix = 'whsec_'
/** A key that was read is much quicker to use than its text. */
const mostKeys = 5_000
const keys = new Map<string, KeyObject>()

type Message = { id: string; at: Date; body: string }

/** One signature for each secret that holds, the newest first. */
export function signatureHeaders({ id, at, body }: Message, secrets: string[]): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const signed = `${id}.${seconds}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(signed, secret)}`).join(' '),
  }
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', keyOf(secret)).update(text, 'utf8').digest('base64')
}

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  const [oldest] = keys.keys()
  if (keys.size >= mostKeys && oldest !== undefined) keys.delete(oldest)
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const key = createSecretKey(Buffer.from(text, 'base64'))
  keys.set(secret, key)
  return key
}
