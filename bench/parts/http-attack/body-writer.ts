/** The body of a request: the example of its description or what its schema accepts, then changed. */
import type { SeededRandom } from '../crash/seeded-random.ts'
import { createHostileValues, RawJson, writeJson } from './hostile-values.ts'
import type { Operation } from './operations.ts'

type Slot = { holder: Record<string, unknown>; name: string }

const invalidUtf8 = ['c328', 'ff', 'eda080', 'c080', 'f0808080', 'f8a1a1a1a1'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

export function createBodyWriter(random: SeededRandom) {
  const { below, pick } = random
  const values = createHostileValues(random)
  const { chance } = values

  /** `known`: ids that the service answered. */
  function write({ example, schema }: Operation, known: (name: string) => string | undefined): Buffer {
    const root: Record<string, unknown> = {
      body: example !== undefined && chance(0.75) ? structuredClone(example) : values.fitting(schema),
    }
    for (const { holder, name } of slotsOf(root)) {
      if (/^(id|uuid|ref|token)$/.test(name) && chance(0.5)) holder[name] = known(name) ?? holder[name]
      // So that names that must be unique are.
      if (/^(domain|email|ramal)$/.test(name) && chance(0.5)) holder[name] = unique(name, holder[name])
    }
    if (chance(0.75)) for (let times = 1 + below(3); times > 0; times -= 1) change(root)
    const text = writeJson(root.body)
    return chance(0.15) ? disturb(Buffer.from(text)) : Buffer.from(text)
  }

  function unique(name: string, value: unknown): string {
    if (name === 'ramal') return String(1_000 + below(9_000))
    return writeJson(value)
      .replaceAll('"', '')
      .replace(/^[^.@]*/, `f${below(1e9).toString(36)}`)
  }

  function change(root: Record<string, unknown>) {
    const slot = pick(slotsOf(root))
    if (!slot) return
    const { holder, name } = slot
    const kind = below(10)
    if (kind < 5) holder[name] = values.value()
    else if (kind === 5 && name !== 'body') delete holder[name]
    else if (kind === 6) holder[name] = [holder[name]]
    else if (kind === 7) holder[name] = writeJson(holder[name])
    else if (kind === 8) holder[name] = new RawJson(values.numberText())
    else addTo(holder[name])
  }

  function addTo(value: unknown) {
    if (Array.isArray(value)) value.push(values.value())
    else if (value !== null && typeof value === 'object') {
      Object.defineProperty(value, values.key(), {
        value: values.value(),
        configurable: true,
        enumerable: true,
        writable: true,
      })
    }
  }

  /** Cut, a key twice, bytes that are no UTF-8, a byte order mark, two documents. */
  function disturb(bytes: Buffer): Buffer {
    const at = below(bytes.length + 1)
    const [start, end] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (below(6)) {
      case 0:
        return start
      case 1:
        return Buffer.concat([start, pick(invalidUtf8) ?? start, end])
      case 2:
        return Buffer.concat([Buffer.from('\ufeff'), bytes])
      case 3:
        return Buffer.concat([bytes, bytes])
      case 4:
        return Buffer.from(bytes.toString().replace('{', '{"id":1,"id":"2","metadata":3,'))
      default:
        return Buffer.concat([start, Buffer.from(values.text()), end])
    }
  }

  return write
}

/** Every place in the value where another could stand. */
function slotsOf(holder: Record<string, unknown>): Slot[] {
  return Object.keys(holder).flatMap((name) => {
    const inner = holder[name]
    const isHolder = inner !== null && typeof inner === 'object' && !(inner instanceof RawJson)
    return [{ holder, name }, ...(isHolder ? slotsOf(inner as Record<string, unknown>) : [])]
  })
}
