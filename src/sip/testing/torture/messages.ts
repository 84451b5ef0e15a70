import { beyond } from './beyond.ts'
import { invalid } from './invalid.ts'
import { valid } from './valid.ts'

/** All 49 messages of RFC 4475, by section and name. */
export const torture: ReadonlyMap<string, Buffer> = new Map(
  Object.entries<string | Buffer>({ ...valid, ...invalid, ...beyond }).map(([name, message]) => [
    name,
    typeof message === 'string' ? Buffer.from(message) : message,
  ]),
)

export function tortureMessage(name: string): Buffer {
  const found = torture.get(name)
  if (!found) throw new Error(`RFC 4475 has no message ${name}`)
  return found
}
