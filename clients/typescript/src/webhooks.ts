/** Deliveries to a webhook: whether the service sent them (Standard Webhooks 1.0, D532), and what they say. */
import { WebhookVerificationError } from './errors.ts'
import type { Metadata, WebhookEvent } from './events.ts'

type HeaderRecord = Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** Seconds between `webhook-timestamp` and now; 300 by default. */
  tolerance?: number
  /** Unix seconds; the clock of this machine by default. */
  now?: number
}

/**
 * The event, if `secret` signed these very bytes a moment ago; throws a WebhookVerificationError otherwise. `body` is the
 * request's body before anything parsed it.
 */
export async function verify<M extends Metadata = Metadata>(
  body: string | Uint8Array | ArrayBuffer,
  headers: Headers | HeaderRecord,
  secret: string,
  { tolerance = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent<M>> {
  const bytes = bytesOf(body)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError(
      'headers',
      'webhook-id, webhook-timestamp or webhook-signature is missing',
    )
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance)
    throw new WebhookVerificationError('timestamp', `webhook-timestamp is more than ${tolerance} s from now`)
  const key = await keyOf(secret)
  const opening = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(opening.length + bytes.length)
  signed.set(opening)
  signed.set(bytes, opening.length)
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined
    // Compares in constant time.
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed)))
      return JSON.parse(new TextDecoder().decode(bytes))
  }
  throw new WebhookVerificationError(
    'signature',
    'no signature fits: the body was changed, or the secret is another',
  )
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  throw new WebhookVerificationError(
    'body',
    'pass the body as it came, as bytes or text, not what it was parsed to',
  )
}

function headerOf(headers: Headers | HeaderRecord, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found.join(' ') : found
}

async function keyOf(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!bytes?.length)
    throw new WebhookVerificationError(
      'secret',
      'the secret is `whsec_` and base64, as the integration shows it',
    )
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
