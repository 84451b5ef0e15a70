/** Compares secrets. */
import { hash, timingSafeEqual } from 'node:crypto'

/** In constant time. */
export function isSameSecret(given: string | undefined, expected: string): boolean {
  const [one, other] = [given ?? '', expected].map((text) => hash('sha256', text, 'buffer'))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
