/** Identifiers: time-ordered UUIDs and random text. */
import { randomFillSync } from 'node:crypto'

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const randomPageBytes = 4_096
/** A buffer of random bytes: fetching a few costs as much as fetching many. Each byte is used once. */
const page = Buffer.alloc(randomPageBytes)
let used = page.length

/** Unpredictable bytes in a shared buffer: valid until the next call, so copy them to keep them. */
export function randomPiece(length: number): Buffer {
  if (length > page.length - used) {
    randomFillSync(page)
    used = 0
  }
  used += length
  return page.subarray(used - length, used)
}

/** UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. */
export function uuidv7(now: Date): string {
  const bytes = randomPiece(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The smallest UUID version 7 of the millisecond: ids made since then are not below it. */
export function uuidFloor(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuidShape.test(text)
}

/** Random letters and digits, each of the 62 equally likely. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomPiece(length)) {
      // 248 = 4 × 62: bytes above it would favour the first digits.
      if (byte < 248 && text.length < length) text += base62Digits[byte % 62]
    }
  }
  return text
}
