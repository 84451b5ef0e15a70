/** A JSON object that clients store with us, bounded in size and depth. */
import { hasUnstorableNumbers, rawNumber } from '../../kit/text/json-text.ts'
import type { FieldProblem } from '../errors.ts'

export const maxBytes = 16 * 1024
export const maxLevels = 8

/** What is wrong with a document that is refused. */
export const documentProblem = {
  tooDeep: {
    code: 'depth',
    message: {
      en: `must be nested at most ${maxLevels} levels deep`,
      pt: `deve ter no máximo ${maxLevels} níveis`,
    },
  },
  tooLarge: {
    code: 'length',
    message: {
      en: `must be at most ${maxBytes} bytes of JSON`,
      pt: `deve ter no máximo ${maxBytes} bytes de JSON`,
    },
  },
  unstorable: {
    code: 'numericality',
    message: {
      en: 'has a number with an exponent that is too large',
      pt: 'tem um número com um expoente grande demais',
    },
  },
} satisfies Record<string, FieldProblem>

export type Document = Record<string, unknown>

export function isDocument(value: unknown): value is Document {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

export function findProblem(document: Document): FieldProblem | undefined {
  if (depthOf(document) > maxLevels) return documentProblem.tooDeep
  const text = JSON.stringify(document)
  if (Buffer.byteLength(text) > maxBytes) return documentProblem.tooLarge
  return hasUnstorableNumbers(text) ? documentProblem.unstorable : undefined
}

/** Iterative, so that no depth exhausts the stack. */
function depthOf(root: object): number {
  let level: object[] = [root]
  let depth = 0
  while (level.length > 0 && depth <= maxLevels) {
    depth += 1
    level = level
      .flatMap((part) => Object.values(part))
      .filter((value) => value !== null && typeof value === 'object' && rawNumber(value) === undefined)
  }
  return depth
}
