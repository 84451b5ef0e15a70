/** Metadata that an integrator attaches to a call (D12: any JSON object within limits, kept as it was sent). */
import { unstorableNumber } from '../contract/document.ts'
import { refuseFields } from '../contract/errors.ts'
import { hasUnstorableNumbers, jsonDepth } from '../kit/json-text.ts'
import type { Translated } from '../kit/language.ts'

const maxBytes = 16 * 1024
const maxLevels = 8

const texts = {
  type: { en: 'must be an object', pt: 'deve ser um objeto' },
  size: {
    en: `must be at most ${maxBytes} bytes of JSON`,
    pt: `deve ter no máximo ${maxBytes} bytes de JSON`,
  },
  depth: {
    en: `must be nested at most ${maxLevels} levels deep`,
    pt: `deve ter no máximo ${maxLevels} níveis`,
  },
}

/** Checks valid JSON without whitespace between its tokens, and returns it. The object itself is the first level. */
export function readMetadata(text = '{}'): string {
  if (!text.startsWith('{')) throw refuse('type', texts.type)
  if (Buffer.byteLength(text) > maxBytes) throw refuse('length', texts.size)
  if (jsonDepth(text, maxLevels) > maxLevels) throw refuse('depth', texts.depth)
  if (hasUnstorableNumbers(text)) throw refuse('numericality', unstorableNumber)
  return text
}

function refuse(code: string, message: Translated<string>) {
  return refuseFields('Call', { metadata: [{ code, message }] })
}
