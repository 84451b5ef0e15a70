/** Sets of characters, kept as sorted ranges of code points that do not touch. */
import type { AST } from '@eslint-community/regexpp'

type Range = readonly [first: number, last: number]
export type CharacterSet = readonly Range[]

/** No text holds NUL, so every set begins after it. */
const lowest = 1
const highest = 0x10ffff

const digits: CharacterSet = [[0x30, 0x39]]
const wordCharacters: CharacterSet = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
const spaces: CharacterSet = union([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
])
const lineEnds: CharacterSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]

/** What `.` stands for. */
export const anyButLineEnds = complement(lineEnds)

/** What \d, \s and \w stand for in JavaScript, whatever the database's locale says of letters. */
export function namedSet(node: AST.EscapeCharacterSet): CharacterSet {
  const set = { digit: digits, space: spaces, word: wordCharacters }[node.kind]
  return node.negate ? complement(set) : set
}

export function classSet(node: AST.ClassRangesCharacterClass): CharacterSet {
  const set = union(node.elements.flatMap(elementSet))
  return node.negate ? complement(set) : set
}

function elementSet(node: AST.ClassRangesCharacterClassElement): CharacterSet {
  if (node.type === 'Character') return [[node.value, node.value]]
  if (node.type === 'CharacterClassRange') return [[node.min.value, node.max.value]]
  if (node.kind === 'property') return []
  return namedSet(node)
}

function union(ranges: readonly Range[]): CharacterSet {
  const merged: [number, number][] = []
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    if (last < lowest) continue
    const previous = merged.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else merged.push([Math.max(first, lowest), last])
  }
  return merged
}

function complement(set: CharacterSet): CharacterSet {
  const gaps: Range[] = []
  let next = lowest
  for (const [first, last] of set) {
    if (first > next) gaps.push([next, first - 1])
    next = last + 1
  }
  if (next <= highest) gaps.push([next, highest])
  return gaps
}

/**
 * The set as a bracket expression. One that reaches the highest character is written by
 * what it leaves out: PostgreSQL walks a range character by character to ignore case.
 */
export function writeSet(set: CharacterSet): string {
  const open = set.at(-1)?.[1] === highest
  const ranges = open ? complement(set) : set
  if (open && ranges.length === 0) return '.'
  return `[${open ? '^' : ''}${ranges.map(writeRange).join('')}]`
}

function writeRange([first, last]: Range): string {
  return first === last ? writeCharacter(first) : `${writeCharacter(first)}-${writeCharacter(last)}`
}

/** Only letters and digits stand for themselves; anything else by its number, so nothing is special. */
export function writeCharacter(codePoint: number): string {
  const character = String.fromCodePoint(codePoint)
  if (/[A-Za-z0-9]/.test(character)) return character
  const hex = codePoint.toString(16)
  return codePoint > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}
