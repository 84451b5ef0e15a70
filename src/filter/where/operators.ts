/** The operators on one field of a `where`: all of them must hold (D24). */
import { refuseParameter } from '../../contract/errors.ts'
import type { Condition, Test } from '../condition.ts'
import {
  type Operand,
  readBetween,
  readComparison,
  readEqual,
  readLike,
  readListed,
  readRegexp,
} from './operands.ts'
import { below, isObject, type RawObject } from './raw.ts'
import { type Reading, spend } from './reading.ts'
import type { Target } from './target.ts'
import { texts } from './texts.ts'

type Operator = {
  read: (operand: Operand) => Test[]
  negated?: true /** Takes `options: "i"`. */
  cased?: true
}

const operators = new Map<string, Operator>([
  ['eq', { read: readEqual }],
  ['neq', { read: readEqual, negated: true }],
  ['inq', { read: readListed }],
  ['nin', { read: readListed, negated: true }],
  ['gt', { read: (operand) => [readComparison('gt', operand)] }],
  ['gte', { read: (operand) => [readComparison('gte', operand)] }],
  ['lt', { read: (operand) => [readComparison('lt', operand)] }],
  ['lte', { read: (operand) => [readComparison('lte', operand)] }],
  ['between', { read: readBetween }],
  ['like', { read: readLike, cased: true }],
  ['nlike', { read: readLike, negated: true, cased: true }],
  ['ilike', { read: (operand) => readLike({ ...operand, ignoreCase: true }) }],
  ['nilike', { read: (operand) => readLike({ ...operand, ignoreCase: true }), negated: true }],
  ['regexp', { read: readRegexp, cased: true }],
])

/** A bare value means equality. */
export function readOperators(reading: Reading, target: Target, raw: unknown, path: string): Condition[] {
  if (!isObject(raw)) {
    spend(reading, 'conditions', path)
    return readEqual({ reading, target, raw, path, ignoreCase: false }).map((test) => ({ target, test }))
  }
  const named = Object.keys(raw).filter((name) => name !== 'options')
  if (named.length === 0) throw refuseParameter(path, texts.noOperator)
  const ignoreCase = readOptions(raw, named, below(path, 'options'))
  return named.flatMap((name) => {
    const inner = below(path, name)
    const operator = operators.get(name)
    if (!operator) throw refuseParameter(inner, texts.unknownOperator)
    spend(reading, 'conditions', inner)
    if (name === 'regexp') spend(reading, 'regexps', inner)
    const tests = operator.read({ reading, target, raw: raw[name], path: inner, ignoreCase })
    return tests.map((test) => (operator.negated ? { target, test, negated: true } : { target, test }))
  })
}

export function isOperators(raw: RawObject): boolean {
  const names = Object.keys(raw)
  return names.length > 0 && names.every((name) => operators.has(name) || name === 'options')
}

/** LoopBack's `{ like: 'x', options: 'i' }`. */
function readOptions(raw: RawObject, named: readonly string[], path: string): boolean {
  if (!Object.hasOwn(raw, 'options')) return false
  if (!named.some((name) => operators.get(name)?.cased)) {
    throw refuseParameter(path, texts.optionsAlone)
  }
  if (raw.options !== 'i') throw refuseParameter(path, texts.unknownOptions)
  return true
}
