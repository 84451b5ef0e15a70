/**
 * Codes by time: TOTP (RFC 6238) on HOTP (RFC 4226), with what every authenticator app has as its default: SHA-1, six
 * digits, steps of 30 seconds.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { toBase32 } from './base32.ts'

const digits = 6
const stepSeconds = 30
/** Codes of the step before and after are right too: the clock of a phone may be off. */
const maxDrift = 1
/** As long as the hash, which RFC 4226 recommends. */
const secretBytes = 20

export const newSecret = () => randomBytes(secretBytes)

export const isTotpCode = (code: string) => /^\d{6}$/.test(code)

export const stepAt = (now: Date) => Math.floor(now.getTime() / 1000 / stepSeconds)

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0x0f
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step the code is of, unless it is not later than the last one used: a code is accepted once. */
export function findStep(secret: Buffer, code: string, now: Date, lastUsed: number): number | undefined {
  const current = stepAt(now)
  for (let step = current - maxDrift; step <= current + maxDrift; step += 1) {
    if (step > lastUsed && timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step
  }
  return undefined
}

/** What an authenticator app reads from a QR code. */
export function otpauthUri(secret: Buffer, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  const parameters = `secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${parameters}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`
}
