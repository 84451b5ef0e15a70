/** Parses `filter.where` into a condition. Unknown names and operators are refused, never ignored (D25). */
import { refuseParameter } from '../../contract/errors.ts'
import type { Condition } from '../condition.ts'
import { limits } from '../limits.ts'
import { readOperators } from './operators.ts'
import { below, isObject } from './raw.ts'
import { type Reading, spend } from './reading.ts'
import { findTarget } from './target.ts'

export function readWhere(reading: Reading, raw: unknown, path: string, depth = 1): Condition {
  if (!isObject(raw)) throw refuseParameter(path, 'must be an object')
  if (depth > limits.depth) throw refuseParameter(path, `is nested deeper than ${limits.depth}`)
  const entries = Object.entries(raw)
  if (entries.length === 0) spend(reading, 'conditions', path)
  const parts = entries.map(([key, value]): Condition => {
    const inner = below(path, key)
    if (key === 'and') return { all: readBranches(reading, value, inner, depth) }
    if (key === 'or') return { any: readBranches(reading, value, inner, depth) }
    return { all: readOperators(reading, findTarget(reading.fields, key, inner), value, inner) }
  })
  return { all: parts }
}

function readBranches(reading: Reading, raw: unknown, path: string, depth: number): Condition[] {
  if (!Array.isArray(raw)) throw refuseParameter(path, 'must be an array')
  if (raw.length === 0) spend(reading, 'conditions', path)
  return raw.map((branch, index) => readWhere(reading, branch, below(path, index), depth + 1))
}
