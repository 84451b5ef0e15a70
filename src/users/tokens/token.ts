/** An access token: how long it lives (D52) and what is kept of it (D53). */
import { hash } from 'node:crypto'
import { refuseFields } from '../../contract/errors.ts'
import { plusSeconds } from '../../kit/clock.ts'

/** 64 random characters; the database sees only their SHA-256, which random text needs no salt for. */
export const tokenLength = 64
const defaultTtl = 1_209_600
const longestTtl = 31_556_926
const forEver = -1

/** One character a byte. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'binary')
}

/** The hash as the database keeps it. */
export function asBytes(hashed: string): Buffer {
  return Buffer.from(hashed, 'binary')
}

export function readTtl(ttl: number | undefined): number {
  if (ttl === undefined) return defaultTtl
  if (ttl === forEver || (ttl >= 1 && ttl <= longestTtl)) return ttl
  const message = `must be ${forEver} or from 1 to ${longestTtl} seconds`
  throw refuseFields('AccessToken', { ttl: [{ code: 'numericality', message }] })
}

export function expiryOf(ttl: number, created: Date): Date | null {
  return ttl === forEver ? null : plusSeconds(created, ttl)
}
