/** An access token: its lifetime (D52), and its hash, which alone is stored (D53). */
import { hash as digest } from 'node:crypto'
import { refuseFields } from '../../contract/errors.ts'
import { plusSeconds } from '../../kit/clock.ts'

/** 64 random characters. The database has only their SHA-256, which needs no salt for random text. */
export const tokenLength = 64
export const defaultTtl = 1_209_600
const maxTtl = 31_556_926
const noExpiry = -1

/** SHA-256 as text with one character for each byte: a short key for a Map. */
export function hashToken(token: string): string {
  return digest('sha256', token, 'binary')
}

/** The hash as the database stores it. */
export function asBytes(hash: string): Buffer {
  return Buffer.from(hash, 'binary')
}

export function readTtl(ttl: number | undefined): number {
  if (ttl === undefined) return defaultTtl
  if (ttl === noExpiry || (ttl >= 1 && ttl <= maxTtl)) return ttl
  const message = {
    en: `must be ${noExpiry} or from 1 to ${maxTtl} seconds`,
    pt: `deve ser ${noExpiry} ou de 1 a ${maxTtl} segundos`,
  }
  throw refuseFields('AccessToken', { ttl: [{ code: 'numericality', message }] })
}

export function expiryOf(ttl: number, created: Date): Date | null {
  return ttl === noExpiry ? null : plusSeconds(created, ttl)
}
