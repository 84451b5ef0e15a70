/** The Range header of a request (RFC 9110 §14). */
import type { ByteRange } from '../recordings/storage/port.ts'

/**
 * Undefined means the whole file: no range, another unit, several ranges, or a range that cannot be parsed. A server
 * may ignore all of these.
 */
export function readByteRange(header: string | undefined, bytes: number): ByteRange | 'beyond' | undefined {
  const [whole, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (whole === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    // A suffix range: the last bytes.
    const wanted = Math.min(Number(last), bytes)
    return wanted === 0 ? 'beyond' : { from: bytes - wanted, to: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from >= bytes ? 'beyond' : { from, to }
}
