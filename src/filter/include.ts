/**
 * `filter.include` in LoopBack's shapes: a name, a list, `{ relation, scope }` or `{ name: include }` (D132). Records of
 * this API are complete, so a relation adds nothing to them; the shape is checked all the same.
 */
import { refuseParameter } from '../contract/errors.ts'
import { limits } from './limits.ts'
import { includeTexts, shared, tooDeep } from './texts.ts'
import { below, isObject } from './where/raw.ts'

export function checkInclude(raw: unknown, path: string, depth = 1) {
  if (depth > limits.depth) throw refuseParameter(path, tooDeep(limits.depth))
  if (raw === null || (typeof raw === 'string' && raw !== '')) return
  if (Array.isArray(raw)) {
    for (const [index, item] of raw.entries()) checkInclude(item, below(path, index), depth + 1)
    return
  }
  if (!isObject(raw)) throw refuseParameter(path, includeTexts.noRelations)
  if (!Object.hasOwn(raw, 'relation')) {
    for (const [name, inner] of Object.entries(raw)) checkInclude(inner, below(path, name), depth + 1)
    return
  }
  const { relation, scope = {} } = raw
  if (typeof relation !== 'string' || relation === '') {
    throw refuseParameter(below(path, 'relation'), includeTexts.noRelation)
  }
  if (!isObject(scope)) throw refuseParameter(below(path, 'scope'), shared.mustBeObject)
}
