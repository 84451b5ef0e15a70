/** Parses `filter.where` into a condition. Unknown names and operators are refused, never ignored (D25). */
import { refuseParameter } from '../../contract/errors.ts'
import type { Condition } from '../condition.ts'
import { limits } from '../limits.ts'
import { tooDeep } from '../texts.ts'
import { isOperators, readOperators } from './operators.ts'
import { below, isObject, type RawObject } from './raw.ts'
import { type Reading, spend } from './reading.ts'
import { checkKeys, findTarget, type Target } from './target.ts'
import { texts } from './texts.ts'

export function readWhere(reading: Reading, raw: unknown, path: string, depth = 1): Condition {
  if (!isObject(raw)) throw refuseParameter(path, texts.mustBeObject)
  if (depth > limits.depth) throw refuseParameter(path, tooDeep(limits.depth))
  const entries = Object.entries(raw)
  if (entries.length === 0) spend(reading, 'conditions', path)
  const parts = entries.map(([key, value]): Condition => {
    const inner = below(path, key)
    if (key === 'and') return { all: readBranches(reading, value, inner, depth) }
    if (key === 'or') return { any: readBranches(reading, value, inner, depth) }
    const field = reading.fields.get(key)
    if (field?.kind === 'json' && isObject(value))
      return readDocument(reading, { field, keys: [] }, value, inner)
    return { all: readOperators(reading, findTarget(reading.fields, key, inner), value, inner) }
  })
  return { all: parts }
}

/**
 * D130: `{ metadata: { a: 1, b: { c: { gt: 2 } } } }` means `metadata.a` and `metadata.b.c`. An object whose keys are all
 * operators holds the operators of its path; a key is taken as it is, dots included.
 */
function readDocument(reading: Reading, { field, keys }: Target, raw: RawObject, path: string): Condition {
  const entries = Object.entries(raw)
  if (entries.length === 0 && keys.length > 0) throw refuseParameter(path, texts.noKeyOrOperator)
  if (entries.length === 0) spend(reading, 'conditions', path)
  const parts = entries.map(([key, value]): Condition => {
    const inner = below(path, key)
    const target = { field, keys: checkKeys([...keys, key], inner) }
    if (isObject(value) && !isOperators(value)) return readDocument(reading, target, value, inner)
    return { all: readOperators(reading, target, value, inner) }
  })
  return { all: parts }
}

function readBranches(reading: Reading, raw: unknown, path: string, depth: number): Condition[] {
  if (!Array.isArray(raw)) throw refuseParameter(path, texts.mustBeArray)
  if (raw.length === 0) spend(reading, 'conditions', path)
  return raw.map((branch, index) => readWhere(reading, branch, below(path, index), depth + 1))
}
