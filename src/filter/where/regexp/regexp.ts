/**
 * Translates a caller's regular expression for PostgreSQL. It is parsed as JavaScript's, with flag u; expressions that
 * are not regular are refused, so the rest runs on an automaton, without backtracking (D25, D29). PostgreSQL itself
 * refuses an automaton that would be too large, within half a second: `isTooComplexRegexp`.
 */
import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp'
import { refuseParameter } from '../../../contract/errors.ts'
import type { Translated } from '../../../kit/text/language.ts'
import { limits } from '../../limits.ts'
import { anyButLineEnds, classSet, namedSet, writeCharacter, writeSet } from './character-set.ts'
import { noRegexp, repeatsTooOften, texts } from './texts.ts'

/** The reason why an expression is refused, before its path in the filter is known. */
class Unfit extends Error {
  readonly texts: Translated<string>

  constructor(texts: Translated<string>) {
    super(texts.en)
    this.texts = texts
  }
}

const parser = new RegExpParser({ ecmaVersion: 2025 })

export function writeRegexp(source: string, path: string): string {
  try {
    const pattern = parser.parsePattern(relaxEscapes(source), 0, undefined, { unicode: true })
    // The group keeps a leading `***` or `(?x)`, which PostgreSQL reads as a command, out of reach.
    return writeGroup(pattern.alternatives)
  } catch (error) {
    if (error instanceof Unfit) throw refuseParameter(path, error.texts)
    if (error instanceof RegExpSyntaxError) {
      throw refuseParameter(path, noRegexp(error.message.split(': ').at(-1) ?? ''))
    }
    throw error
  }
}

/** Flag u refuses `\-` and `\@`, which are common: a needless backslash before a sign is dropped. */
function relaxEscapes(source: string): string {
  return source.replace(/\\(.)/gsu, (escaped, sign: string) =>
    /[\w^$\\.*+?()[\]{}|/]/.test(sign) ? escaped : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  )
}

function writeGroup(alternatives: readonly AST.Alternative[]): string {
  return `(?:${alternatives.map(({ elements }) => elements.map(writeElement).join('')).join('|')})`
}

function writeElement(node: AST.Element): string {
  switch (node.type) {
    case 'Character':
      if (node.value === 0) throw new Unfit(texts.asksForNul)
      return writeCharacter(node.value)
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return writeClass(node)
    case 'Group':
      if (node.modifiers) throw new Unfit(texts.switchesFlags)
      return writeGroup(node.alternatives)
    case 'CapturingGroup':
      return writeGroup(node.alternatives)
    case 'Quantifier':
      return writeQuantifier(node)
    case 'Assertion':
      return writeAssertion(node)
    case 'Backreference':
      throw new Unfit(texts.backreference)
  }
}

function writeClass(node: AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass): string {
  if (node.type === 'CharacterSet') {
    if (node.kind === 'any') return writeSet(anyButLineEnds)
    if (node.kind === 'property') throw new Unfit(texts.property)
    return writeSet(namedSet(node))
  }
  if (node.type !== 'CharacterClass' || node.unicodeSets) throw new Unfit(texts.setOperation)
  if (node.elements.some((element) => element.type === 'CharacterSet' && element.kind === 'property')) {
    throw new Unfit(texts.property)
  }
  const set = classSet(node)
  if (set.length === 0) throw new Unfit(texts.emptyClass)
  return writeSet(set)
}

/** PostgreSQL's \y knows accented letters as parts of words. */
function writeAssertion(node: AST.Assertion): string {
  switch (node.kind) {
    case 'start':
      return '^'
    case 'end':
      return '$'
    case 'word':
      return node.negate ? '\\Y' : '\\y'
    default:
      throw new Unfit(texts.looksAround)
  }
}

/** Lazy and greedy are the same here: only whether there is a match counts. */
function writeQuantifier({ min, max, element }: AST.Quantifier): string {
  if (min > limits.regexpRepeat || (max !== Infinity && max > limits.regexpRepeat)) {
    throw new Unfit(repeatsTooOften(limits.regexpRepeat))
  }
  return `${writeElement(element)}${writeTimes(min, max)}`
}

function writeTimes(min: number, max: number): string {
  if (min === 0 && max === 1) return '?'
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}
