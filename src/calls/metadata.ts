/** Metadata that an integrator attaches to a call (D12: any JSON object within limits, kept as it was sent). */
import { refuseFields } from '../contract/errors.ts'
import { isStorableNumber, jsonDepth, jsonTokens } from '../kit/json-text.ts'
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
  number: {
    en: 'has a number with an exponent that is too large',
    pt: 'tem um número com um expoente grande demais',
  },
}

/** Only a number that says its exponent, or fills most of the metadata, can be too large to store. */
const mayBeTooLarge = /\d[eE]|\d{8000}/

/** Checks valid JSON without whitespace between its tokens, and returns it. The object itself is the first level. */
export function readMetadata(text = '{}'): string {
  if (!text.startsWith('{')) throw refuse('type', texts.type)
  if (Buffer.byteLength(text) > maxBytes) throw refuse('length', texts.size)
  if (jsonDepth(text, maxLevels) > maxLevels) throw refuse('depth', texts.depth)
  if (mayBeTooLarge.test(text) && !jsonTokens(text).every(isStorable)) {
    throw refuse('numericality', texts.number)
  }
  return text
}

function isStorable(token: string): boolean {
  return !/^[-\d]/.test(token) || isStorableNumber(token)
}

function refuse(code: string, message: Translated<string>) {
  return refuseFields('Call', { metadata: [{ code, message }] })
}
