import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonError } from './json-error.ts'

const place = (text: string) => {
  const { line, column, isIncomplete } = findJsonError(text)
  return `${line}:${column}${isIncomplete ? ' incomplete' : ''}`
}

describe('the first token that does not fit', () => {
  test.each([
    ['a word', 'hello', '1:1'],
    ['a quote of another kind', "{'a': 1}", '1:2'],
    ['a key without quotes', '{a: 1}', '1:2'],
    ['a comma behind the last member', '{"a": 1,}', '1:9'],
    ['a comma behind the last element', '[1, 2,]', '1:7'],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', '3:3'],
    ['a missing comma, with line ends of Windows', '{\r\n  "a": 1\r\n  "b": 2\r\n}', '3:3'],
    ['a missing colon', '{"a" 1}', '1:6'],
    ['a bracket of the other kind', '{"a": [1}', '1:9'],
    ['a number with a zero before it', '{"a": 01}', '1:7'],
    ['a literal of another language', '{"a": None}', '1:7'],
    ['a string over two lines', '{"a": "x\ny"}', '1:7'],
    ['an escape that is none', '{"a": "\\x"}', '1:7'],
    ['a string that is not closed', '{"a": "x}', '1:7'],
    ['a second value', '{} {}', '1:4'],
    ['columns of characters, not of bytes', '{"ação📞": no}', '1:11'],
    ['whitespace that JSON does not know', '{\u00a0"a": 1}', '1:2'],
    ['a text that ends too early', '{"a":', '1:6 incomplete'],
    ['an object that is not closed', '{\n"a": 1\n', '3:1 incomplete'],
    ['whitespace alone', '  ', '1:3 incomplete'],
  ])('%s', (_what, text, expected) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(place(text)).toBe(expected)
  })
})

test('every text that JSON.parse refuses has a place, and what stands before it could still become JSON', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', ':', '"', 'x', '{'))
    .map(
      ([text, at, part]) => `${text.slice(0, at % text.length)}${part}${text.slice((at % text.length) + 1)}`,
    )
  fc.assert(
    fc.property(broken, (text) => {
      fc.pre(!parses(text))
      const { column } = findJsonError(text)
      expect(column).toBeLessThanOrEqual([...text].length + 1)
      const before = [...text].slice(0, column - 1).join('')
      if (!parses(before)) expect(findJsonError(before).isIncomplete).toBe(true)
    }),
  )
})

test('deep nesting and long strings are read without recursion', () => {
  expect(place('['.repeat(100_000))).toBe('1:100001 incomplete')
  expect(place(`{"a": "${'x\\n'.repeat(30_000)}" no}`)).toBe('1:90010')
  expect(place(`{"a": "${'x\\n'.repeat(30_000)}`)).toBe('1:7')
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
