import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { isTooComplexRegexp } from '../../../store/connection/database-errors.ts'
import { connectTestDatabase } from '../../testing/test-pool.ts'
import { writeRegexp } from './regexp.ts'

const write = (source: string) => writeRegexp(source, 'x')
const pool = connectTestDatabase()
afterAll(() => pool.end())

async function matches(text: string, source: string, operator = '~'): Promise<boolean> {
  const { rows } = await pool.query(`select $1::text ${operator} $2::text as yes`, [text, write(source)])
  return rows[0].yes
}

describe('an expression is written for PostgreSQL', () => {
  test.each([
    ['abc', '(?:abc)'],
    ['', '(?:)'],
    ['a|', '(?:a|)'],
    ['(a)(?<name>b)(?:c)', '(?:(?:a)(?:b)(?:c))'],
    ['a*?b+?c??d{2,}?', '(?:a*b+c?d{2,})'],
    ['a{3}b{3,5}c{0,1}', '(?:a{3}b{3,5}c?)'],
    ['^\\bx\\B$', '(?:^\\yx\\Y$)'],
    ['\\d\\D', '(?:[0-9][^0-9])'],
    ['[\\D]', '(?:[^0-9])'],
    ['[^\\D_5]', '(?:[0-46-9])'],
    ['[^]', '(?:.)'],
    ['[^\\x00-\\x7f]', '(?:[^\\u0001-\\u007f])'],
    ['.', '(?:[^\\u000a\\u000d\\u2028-\\u2029])'],
    ['a.b\\.c', '(?:a[^\\u000a\\u000d\\u2028-\\u2029]b\\u002ec)'],
    ['😀', '(?:\\U0001f600)'],
    ['\\-\\@\\ [\\-\\@]', '(?:\\u002d\\u0040\\u0020[\\u002d\\u0040])'],
  ])('%s as %s', (source, written) => {
    expect(write(source)).toBe(written)
  })
})

describe('an expression is refused (D29)', () => {
  test.each([
    ['(', 'is not a regular expression: Unterminated group'],
    ['a{', 'is not a regular expression: Incomplete quantifier'],
    ['***=abc', 'is not a regular expression: Nothing to repeat'],
    ['(?i)a', 'is not a regular expression: Invalid group'],
    ['(a)\\1', 'must not refer back to a group'],
    ['a(?=b)', 'must not look ahead or behind'],
    ['(?<!a)b', 'must not look ahead or behind'],
    ['(?i:a)', 'must not switch flags inside'],
    ['\\p{L}', 'must not use Unicode properties'],
    ['[\\p{L}]', 'must not use Unicode properties'],
    ['[]', 'has a class that matches nothing'],
    ['\\0', 'asks for the NUL character, which no text contains'],
    ['a{101}', 'must not repeat more than 100 times'],
    ['a{101,}', 'must not repeat more than 100 times'],
  ])('%s: %s', (source, problem) => {
    expect(() => write(source)).toThrow(`x: ${problem}`)
  })
})

describe('PostgreSQL', () => {
  test('reads nothing in an expression as a command of its own', async () => {
    expect(await matches('***=a', '\\*\\*\\*=a')).toBe(true)
    expect(await matches('A', '(?:a)')).toBe(false)
    expect(await matches('a\\b', 'a\\\\b')).toBe(true)
    expect(await matches('x]y', '[\\]]')).toBe(true)
  })

  test('knows accented letters as parts of words', async () => {
    expect(await matches('João', 'Jo\\b')).toBe(false)
    expect(await matches('João Paulo', '\\bPaulo\\b')).toBe(true)
  })

  test('ignores case when asked', async () => {
    expect(await matches('ANA', '^a[n-o]a$', '~*')).toBe(true)
    expect(await matches('ANA', '^a[n-o]a$')).toBe(false)
  })

  test.each(['(?:(?:a?){100}){100}', '(?:(?:(?:a|){100}){100}){100}', '(((a{100}){100}){100})'])(
    '%s is refused as too complex',
    async (source) => {
      const failure = await matches('x', source).catch((error: unknown) => error)
      expect(isTooComplexRegexp(failure)).toBe(true)
    },
  )

  test('matches what JavaScript matches', async () => {
    await fc.assert(
      fc.asyncProperty(expression, fc.array(text, { minLength: 5, maxLength: 5 }), async (source, texts) => {
        const { rows } = await pool.query('select t ~ $2 as yes from unnest($1::text[]) as t', [
          texts,
          write(source),
        ])
        const javascript = new RegExp(source, 'u')
        expect(rows.map(({ yes }) => yes)).toEqual(texts.map((one) => javascript.test(one)))
      }),
      { numRuns: 300 },
    )
  })
})

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '1', ' ', '\n', '-', ']', '^', '😀', 'é'),
  maxLength: 6,
})
const atom = fc.constantFrom(
  'a',
  'b',
  '1',
  '.',
  '\\d',
  '\\D',
  '\\s',
  '\\S',
  '\\w',
  '\\W',
  '\\n',
  '-',
  '\\]',
  '\\^',
  '😀',
  'é',
  '[ab]',
  '[^a]',
  '[a-z1]',
  '[^\\s\\d]',
  '[\\W\\d]',
  '[\\S😀]',
  '[-^\\]]',
  '[^]',
)
const times = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{0,2}', '{1,}')
const expression = fc
  .letrec<{ branches: string; part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(atom, times).map((both) => both.join('')),
      fc.constantFrom('^', '$'),
      tie('branches').map((inner) => `(${inner})`),
      fc.tuple(tie('branches'), times).map(([inner, many]) => `(?:${inner})${many}`),
    ),
    branches: fc
      .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
      .map((branches) => branches.map((parts) => parts.join('')).join('|')),
  }))
  .branches.filter(isFit)

function isFit(source: string): boolean {
  try {
    return write(source) !== ''
  } catch {
    return false
  }
}
