/** Stateless nonces: they contain their creation time and an HMAC. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { randomPiece } from '../../../kit/ids.ts'

const form = /^([0-9a-z]{1,11})\.([\w-]{11})\.([\w-]{22})$/

/** The HMAC covers the realm: a nonce of one account is invalid in another. */
export function makeNonce(key: KeyObject, realm: string, now: Date): string {
  const createdAt = now.getTime().toString(36)
  const random = randomPiece(8).toString('base64url')
  return `${createdAt}.${random}.${mac(key, realm, createdAt, random)}`
}

/** Its creation time; `undefined` if the nonce is not ours. */
export function nonceTime(key: KeyObject, realm: string, nonce: string): number | undefined {
  const [, createdAt, random, given] = form.exec(nonce) ?? []
  if (createdAt === undefined || random === undefined || given === undefined) return undefined
  const isValid = timingSafeEqual(Buffer.from(given), Buffer.from(mac(key, realm, createdAt, random)))
  return isValid ? Number.parseInt(createdAt, 36) : undefined
}

function mac(key: KeyObject, realm: string, createdAt: string, random: string): string {
  const hmac = createHmac('sha256', key).update(JSON.stringify([createdAt, random, realm]))
  return hmac.digest().subarray(0, 16).toString('base64url')
}
