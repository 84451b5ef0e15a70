/** Parses the operand of an operator into tests. */
import { refuseParameter } from '../../contract/errors.ts'
import { isStorableNumber, rawNumber } from '../../kit/text/json-text.ts'
import type { Comparison, Span, Test } from '../condition.ts'
import { limits } from '../limits.ts'
import { tooLong } from '../texts.ts'
import { readEquality } from './equality.ts'
import { readTime } from './instant.ts'
import { writeLike } from './pattern.ts'
import { below, checkText } from './raw.ts'
import type { Reading } from './reading.ts'
import { writeRegexp } from './regexp/regexp.ts'
import type { Target } from './target.ts'
import { texts, tooManyValues } from './texts.ts'
import { readValue } from './value.ts'

type Compared = Extract<Test, { value: string }>

export type Operand = {
  reading: Reading
  target: Target
  raw: unknown
  path: string
  ignoreCase: boolean
}

export function readEqual({ reading, target, raw, path }: Operand): Test[] {
  return [readEquality(target.field, [{ raw, path }], reading.timeZone)]
}

export function readListed({ reading, target, raw, path }: Operand): Test[] {
  if (!Array.isArray(raw)) throw refuseParameter(path, texts.mustBeArray)
  if (raw.length > limits.listedValues) {
    throw refuseParameter(path, tooManyValues(limits.listedValues))
  }
  const given = raw.map((item: unknown, index) => ({ raw: item, path: below(path, index) }))
  return [readEquality(target.field, given, reading.timeZone)]
}

export function readComparison(is: Comparison, { reading, target, raw, path }: Operand): Compared {
  if (raw === null) throw refuseParameter(path, texts.isNull)
  if (target.field.kind === 'instant') return readTimeComparison(is, readTime(raw, path, reading.timeZone))
  const value = readValue(target.field, raw, path, reading.timeZone)
  if (target.field.kind !== 'json') return { is, value }
  if (typeof raw === 'boolean') throw refuseParameter(path, texts.noNumberOrText)
  if (isNumber(raw) && !isStorableNumber(value)) throw refuseParameter(path, texts.outOfRange)
  return { is, value, number: isNumber(raw) || (reading.textual && isStorableNumber(value)) }
}

function isNumber(raw: unknown): boolean {
  return typeof raw === 'number' || rawNumber(raw) !== undefined
}

/** After a time means after all of its span, up to it means to the end of its span. */
function readTimeComparison(is: Comparison, { from, until }: Span): Compared {
  if (is === 'gt' || is === 'gte') return { is: 'gte', value: is === 'gt' ? until : from }
  return { is: 'lt', value: is === 'lt' ? from : until }
}

/** Both ends are inclusive; reversed ends match nothing. */
export function readBetween(operand: Operand): Test[] {
  const { raw, path } = operand
  if (!Array.isArray(raw) || raw.length !== 2) throw refuseParameter(path, texts.noPair)
  const from = readComparison('gte', { ...operand, raw: raw[0], path: below(path, 0) })
  const to = readComparison('lte', { ...operand, raw: raw[1], path: below(path, 1) })
  if (from.number !== to.number) throw refuseParameter(path, texts.mixedPair)
  return [from, to]
}

export function readLike({ target, raw, path, ignoreCase }: Operand): Test[] {
  const text = readPattern(target, raw, path)
  return [{ is: 'like', pattern: writeLike(text), ignoreCase }]
}

/** The expression alone, or `/expression/flags` with no flag but i. */
export function readRegexp({ target, raw, path, ignoreCase }: Operand): Test[] {
  const text = readPattern(target, raw, path)
  const [, source = text, flags = ''] = /^\/(.*)\/([^/]*)$/s.exec(text) ?? []
  if (flags !== '' && flags !== 'i') throw refuseParameter(path, texts.unknownFlag)
  return [{ is: 'matches', pattern: writeRegexp(source, path), ignoreCase: ignoreCase || flags === 'i' }]
}

function readPattern({ field }: Target, raw: unknown, path: string): string {
  if (!['text', 'choice', 'json'].includes(field.kind)) throw refuseParameter(path, texts.textOnly)
  if (typeof raw !== 'string') throw refuseParameter(path, texts.noText)
  if (raw.length > limits.patternLength) {
    throw refuseParameter(path, tooLong(limits.patternLength))
  }
  checkText(raw, path)
  return raw
}
