/** Metadata that an integrator attaches to a call (D12: any JSON object within limits). */
import { refuseFields } from '../contract/errors.ts'
import type { Translated } from '../kit/language.ts'

const maxBytes = 16 * 1024
const maxLevels = 8

const texts = {
  size: {
    en: `must be at most ${maxBytes} bytes of JSON`,
    pt: `deve ter no máximo ${maxBytes} bytes de JSON`,
  },
  depth: {
    en: `must be nested at most ${maxLevels} levels deep`,
    pt: `deve ter no máximo ${maxLevels} níveis`,
  },
  number: { en: 'has a number that is too large', pt: 'tem um número grande demais' },
}

/** Returns the JSON to store. The object itself is the first level. */
export function readMetadata(given: unknown = {}): string {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw refuse('type', { en: 'must be an object', pt: 'deve ser um objeto' })
  }
  const found = findProblem(given)
  if (found) throw found
  const text = JSON.stringify(given)
  if (Buffer.byteLength(text) > maxBytes) throw refuse('length', texts.size)
  return text
}

/** Level by level, so that no depth exhausts the stack. */
function findProblem(root: object) {
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxLevels) return refuse('depth', texts.depth)
    const next: object[] = []
    for (const part of level) {
      for (const value of Object.values(part)) {
        if (value !== null && typeof value === 'object') next.push(value)
        // JSON.parse reads 1e999 as Infinity, which JSON cannot express.
        else if (typeof value === 'number' && !Number.isFinite(value)) {
          return refuse('numericality', texts.number)
        }
      }
    }
    level = next
  }
  return undefined
}

function refuse(code: string, message: Translated<string>) {
  return refuseFields('NewCall', { metadata: [{ code, message }] })
}
