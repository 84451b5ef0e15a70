/** Ids, cursors and signatures from answers, so that later requests reach what exists. */
import type { SeededRandom } from '../crash/seeded-random.ts'

const names = /^(id|uuid|ref|nextCursor|cursor|record_url)$/
const maxKept = 50
const maxBytes = 20_000

export function createKnownIds() {
  const kept = new Map<string, string[]>()

  function keep(name: string, value: string) {
    const list = kept.get(name) ?? []
    kept.set(name, [value, ...list].slice(0, maxKept))
  }

  function learn(body: Buffer) {
    if (body.length > maxBytes || (body[0] !== 0x7b && body[0] !== 0x5b)) return
    JSON.parse(body.toString(), (name, value) => {
      if (names.test(name) && (typeof value === 'string' || typeof value === 'number'))
        keep(name, String(value))
      return value
    })
  }

  /** Parameters are named more closely than fields: `deliveryId` is the `id` of a delivery. */
  function pick(name: string, random: SeededRandom): string | undefined {
    if (name === 'expires' || name === 'signature') {
      const url = random.pick(kept.get('record_url') ?? [])
      return url ? (new URL(url).searchParams.get(name) ?? undefined) : undefined
    }
    const field =
      name === 'cursor' || name === 'after'
        ? 'nextCursor'
        : /id$/i.test(name) && name !== 'uuid'
          ? 'id'
          : name
    return random.pick(kept.get(field) ?? kept.get('uuid') ?? [])
  }

  return { learn, pick }
}
