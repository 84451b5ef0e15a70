/** Requests as strangers may send them. */
import fc from 'fast-check'
import type { QueryString } from '../query-string.ts'
import { day, filter, instant, pair, path, scalar, text, uuid } from './filters.ts'

/** A text cut, doubled or disturbed in one place. */
function disturbed(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const noise = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom(
      '{',
      ']',
      '"',
      ',',
      '\\',
      '\\u0000',
      '\\ud800',
      '1e999',
      '1e999999',
      '12345678901234567890',
      'null',
    ),
  )
  return fc.tuple(whole, fc.nat(), fc.nat({ max: 5 }), noise).map(([one, at, length, insert]) => {
    const from = at % (one.length + 1)
    return one.slice(0, from) + insert + one.slice(from + length)
  })
}

const word = fc.constantFrom(
  'where',
  'order',
  'limit',
  'skip',
  'offset',
  'fields',
  'include',
  'and',
  'or',
  'eq',
  'neq',
  'gt',
  'lte',
  'between',
  'inq',
  'nin',
  'like',
  'nilike',
  'regexp',
  'options',
  'id',
  'name',
  'size',
  'price',
  'madeAt',
  'ready',
  'role',
  'metadata',
  'metadata.a',
  'metadata.a.b',
  'metadata.',
  'metadata..a',
  'metadata.__proto__',
  '__proto__',
  'constructor',
  'toString',
  'account',
  'things.account',
  '0',
  '1',
  '',
  'name"; drop table things',
)
const odd: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  word,
  instant,
  day,
  uuid,
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    '\0',
    '\ud800',
    '99999999999999999999',
    '-9223372036854775809',
    '9223372036854775807',
    '1e400',
    '0001-01-01',
    '9999-12-31T23:59:59-14:00',
    'i',
    '%\\',
    '***=',
    '(?i)a',
  ),
)
const soup = fc.letrec<{ soup: unknown }>((tie) => ({
  soup: fc.oneof(
    { maxDepth: 5 },
    odd,
    fc.array(tie('soup'), { maxLength: 4 }),
    fc.array(fc.tuple(word, tie('soup')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).soup

const pieces = fc.constantFrom(
  'a',
  '(',
  ')',
  '(?:',
  '|',
  '[',
  '^',
  ']',
  '-',
  '{2}',
  '{0,3}',
  '{,',
  '*',
  '+',
  '?',
  '\\',
  '\\b',
  '\\d',
  '\\W',
  '\\0',
  '\\u{1f600}',
  '\\-',
  '.',
  '$',
  '***',
  '(?i)',
  '(?=',
  '\\1',
  '😀',
  '[]',
  '[^]',
  'z',
  '\n',
)
const hostilePattern = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
const oneField = fc
  .tuple(word, fc.tuple(word, fc.oneof(odd, fc.array(odd, { maxLength: 3 }))).map(pair))
  .map(pair)
const onePattern = fc
  .tuple(
    fc.constantFrom('name', 'role', 'metadata.a'),
    fc.constantFrom('regexp', 'like', 'nilike'),
    fc.oneof(hostilePattern, text, fc.string()),
  )
  .map(([field, operator, pattern]) => ({ [field]: { [operator]: pattern } }))

const brackets = fc
  .array(
    fc.tuple(
      fc.array(fc.oneof(word, fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 6 }),
      fc.oneof(fc.string(), text, fc.array(text, { maxLength: 2 })),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((entries) => Object.fromEntries(entries.map(([keys, value]) => [`filter[${keys.join('][')}]`, value])))

/** A filter that is in order, in brackets. */
const flattened = filter.map((whole) => Object.fromEntries(flatten(whole, 'filter')))

function flatten(node: unknown, name: string): [string, string][] {
  if (typeof node !== 'object' || node === null) return [[name, String(node)]]
  return Object.entries(node).flatMap(([inner, child]) => flatten(child, `${name}[${inner}]`))
}

const valid = filter.map((whole) => JSON.stringify(whole))
const asJson = (arbitrary: fc.Arbitrary<unknown>) =>
  arbitrary.map((one) => ({ filter: JSON.stringify(one) ?? '' }))

/** Anything a stranger may send. */
export const hostileQuery: fc.Arbitrary<QueryString> = fc.oneof(
  fc.record({ filter: fc.string({ unit: 'binary', maxLength: 40 }) }),
  fc.record({ filter: fc.json() }),
  fc.record({ filter: valid }),
  fc.record({ filter: disturbed(valid) }),
  fc.record({ filter: disturbed(disturbed(valid)) }),
  asJson(soup),
  asJson(fc.tuple(word, soup).map(pair)),
  asJson(soup.map((one) => ({ where: one }))),
  asJson(oneField.map((one) => ({ where: one }))),
  asJson(onePattern.map((one) => ({ where: one }))),
  asJson(fc.tuple(path, fc.tuple(word, odd).map(pair)).map((entry) => ({ where: pair(entry) }))),
  brackets,
  flattened,
  fc.dictionary(fc.oneof(word, fc.constantFrom('page', 'filter', 'filter[', 'filter[]')), fc.string()),
)
