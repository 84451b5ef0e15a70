/** What an integrator attaches to a call (D12): kept, searched and told as it came. */
import { refuseFields } from '../contract/errors.ts'

const mostBytes = 16 * 1024
const mostLevels = 8

/** As the JSON that is stored; the object itself is the first level. */
export function readMetadata(given: unknown = {}): string {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw refuse('type', 'must be an object')
  }
  const trouble = findTrouble(given)
  if (trouble) throw trouble
  const text = JSON.stringify(given)
  if (Buffer.byteLength(text) > mostBytes)
    throw refuse('length', `must be at most ${mostBytes} bytes of JSON`)
  return text
}

/** Level by level, so that no depth exhausts the stack. */
function findTrouble(root: object) {
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > mostLevels) return refuse('depth', `must be nested at most ${mostLevels} levels deep`)
    const next: object[] = []
    for (const part of level) {
      for (const value of Object.values(part)) {
        if (value !== null && typeof value === 'object') next.push(value)
        // 1e999 is read as infinity, which JSON cannot say.
        else if (typeof value === 'number' && !Number.isFinite(value)) {
          return refuse('numericality', 'has a number that is too large')
        }
      }
    }
    level = next
  }
  return undefined
}

function refuse(code: string, message: string) {
  return refuseFields('NewCall', { metadata: [{ code, message }] })
}
