/**
 * Stateless nonces: they contain their creation time and an HMAC. The HMAC covers the realm, so that a nonce of one
 * account is invalid in another; the process that made it, which alone knows which counts of it were used; and the
 * address it was sent to, so that its user must have received it there.
 *
 * A retransmitted request gets the same nonce within `momentMs`, and so the same challenge, without state (D179).
 */
import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { addressBlock } from '../../kit/networks.ts'

const form = /^([0-9a-z]{1,11})\.([\w-]{11})\.([\w-]{22})$/
const momentMs = 4_000

/** `node`: the process, by a name that no other has had. */
export type NonceScope = { key: KeyObject; node: string; realm: string; address: string }

/** `request` identifies the request that is challenged. */
export function makeNonce(scope: NonceScope, request: string, now: Date): string {
  const createdAt = (now.getTime() - (now.getTime() % momentMs)).toString(36)
  const digest = createHash('sha256').update(request).digest().subarray(0, 8).toString('base64url')
  return `${createdAt}.${digest}.${mac(scope, createdAt, digest)}`
}

/** Its creation time; `undefined` if the nonce was not made in this scope. */
export function nonceTime(scope: NonceScope, nonce: string): number | undefined {
  const [, createdAt, request, given] = form.exec(nonce) ?? []
  if (createdAt === undefined || request === undefined || given === undefined) return undefined
  const isValid = timingSafeEqual(Buffer.from(given), Buffer.from(mac(scope, createdAt, request)))
  return isValid ? Number.parseInt(createdAt, 36) : undefined
}

function mac({ key, node, realm, address }: NonceScope, createdAt: string, request: string): string {
  const covered = JSON.stringify([createdAt, request, realm, node, addressBlock(address)])
  return createHmac('sha256', key).update(covered).digest().subarray(0, 16).toString('base64url')
}
