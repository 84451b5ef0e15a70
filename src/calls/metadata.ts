/** Metadata that an integrator attaches to a call (D12: any JSON object within limits, kept as it was sent). */

import { type FieldProblem, refuseFields } from '../contract/errors.ts'
import { documentProblem, maxBytes, maxLevels } from '../contract/schema/document.ts'
import { hasUnstorableNumbers, jsonDepth } from '../kit/text/json-text.ts'

const noObject = { code: 'type', message: { en: 'must be an object', pt: 'deve ser um objeto' } }

/** Checks valid JSON without whitespace between its tokens, and returns it. The object itself is the first level. */
export function readMetadata(text = '{}'): string {
  if (!text.startsWith('{')) throw refuse(noObject)
  if (Buffer.byteLength(text) > maxBytes) throw refuse(documentProblem.tooLarge)
  if (jsonDepth(text, maxLevels) > maxLevels) throw refuse(documentProblem.tooDeep)
  if (hasUnstorableNumbers(text)) throw refuse(documentProblem.unstorable)
  return text
}

function refuse(problem: FieldProblem) {
  return refuseFields('Call', { metadata: [problem] })
}
