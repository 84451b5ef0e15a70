/** Nonces that need no memory: they carry the time they were made and a seal that only our key can make. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { randomPiece } from '../../../kit/ids.ts'

const form = /^([0-9a-z]{1,11})\.([\w-]{11})\.([\w-]{22})$/

/** The seal covers the realm, so that a nonce made for one account is worth nothing in another. */
export function makeNonce(key: KeyObject, realm: string, now: Date): string {
  const made = now.getTime().toString(36)
  const random = randomPiece(8).toString('base64url')
  return `${made}.${random}.${seal(key, realm, made, random)}`
}

/** When we made it; `undefined` if it was not us. */
export function nonceTime(key: KeyObject, realm: string, nonce: string): number | undefined {
  const [, made, random, given] = form.exec(nonce) ?? []
  if (made === undefined || random === undefined || given === undefined) return undefined
  const right = timingSafeEqual(Buffer.from(given), Buffer.from(seal(key, realm, made, random)))
  return right ? Number.parseInt(made, 36) : undefined
}

function seal(key: KeyObject, realm: string, made: string, random: string): string {
  const hmac = createHmac('sha256', key).update(JSON.stringify([made, random, realm]))
  return hmac.digest().subarray(0, 16).toString('base64url')
}
