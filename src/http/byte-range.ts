/** The Range of a request (RFC 9110 §14): one part of what there is. */
import type { ByteRange } from '../recordings/port.ts'

/**
 * Undefined means the whole: no range, another unit, several ranges, or one that cannot be read, which a server
 * is free to leave alone.
 */
export function readByteRange(header: string | undefined, bytes: number): ByteRange | 'beyond' | undefined {
  const [whole, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (whole === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    // The last so many.
    const wanted = Math.min(Number(last), bytes)
    return wanted === 0 ? 'beyond' : { from: bytes - wanted, to: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from >= bytes ? 'beyond' : { from, to }
}
