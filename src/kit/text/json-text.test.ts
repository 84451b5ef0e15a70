import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  appendMember,
  elementTexts,
  isStorableNumber,
  memberText,
  parseExactJson,
  rawNumber,
} from './json-text.ts'

describe('the text of a member', () => {
  test.each([
    ['{"a":1}', undefined],
    ['{"metadata":{}}', '{}'],
    ['{ "a" : [1, 2], "metadata" : { "x" : 1.0 , "y":"a b" } , "b": 2 }', '{"x":1.0,"y":"a b"}'],
    ['{"a":{"metadata":1},"metadata":-0}', '-0'],
    ['{"metadata":1,"metadata":2}', '2'],
    ['{"meta\\u0064ata":"x"}', '"x"'],
    ['{"a":"metadata","b":"\\"metadata\\":1","c":["metadata",1]}', undefined],
    ['{"metadata":"} ] , \\\\"}', '"} ] , \\\\"'],
    ['{"metadata":[[{"a":[]}],12345678901234567890]}', '[[{"a":[]}],12345678901234567890]'],
    ['[{"metadata":1}]', undefined],
    ['', undefined],
  ])('metadata of %s is %s', (text, expected) => {
    expect(memberText(text, 'metadata')).toBe(expected)
  })

  test('is the same JSON, whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.integer({ max: 4 }),
        (object, name, space) => {
          const text = JSON.stringify(object, null, Math.max(0, space))
          const found = memberText(text, name)
          expect(found).toBe(Object.hasOwn(object, name) ? JSON.stringify(object[name]) : undefined)
        },
      ),
    )
  })
})

test('a member is appended to an object that has some', () => {
  expect(appendMember('{"a":1}', 'b"', '{"x":1.0}')).toBe('{"a":1,"b\\"":{"x":1.0}}')
})

describe('JSON parsed exactly', () => {
  test.each([
    '12345678901234567890',
    '9007199254740993',
    '1e400',
    '-1e-400',
    '0.1234567890123456789',
    '1e23456',
  ])('keeps %s as it is written', (number) => {
    const value = parseExactJson(`{"a":[${number}]}`) as { a: unknown[] }
    expect(rawNumber(value.a[0])).toBe(number)
    expect(JSON.stringify(value)).toBe(`{"a":[${number}]}`)
  })

  test.each([
    ['1', 1],
    ['1.0', 1],
    ['1e3', 1000],
    ['-0', -0],
    ['9007199254740992', 2 ** 53],
    ['0.1', 0.1],
    ['1E+2', 100],
    ['0e999', 0],
  ])('reads %s, which JavaScript holds, as a number', (number, expected) => {
    expect(parseExactJson(number)).toBe(expected)
    expect(rawNumber(expected)).toBe(undefined)
  })

  test('has a key named __proto__ as any other', () => {
    const value = parseExactJson('{"__proto__":{"a":12345678901234567890}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":12345678901234567890}}')
  })
})

test('a number is storable within the range of the database', () => {
  for (const number of ['0', '-1.5', '1e400', '1E-9999', '9'.repeat(9000)])
    expect(isStorableNumber(number)).toBe(true)
  for (const number of ['', '01', '1.', '.5', '+1', 'NaN', '1e200000', '1e-20000', '1e99999999999', '1 ']) {
    expect(isStorableNumber(number)).toBe(false)
  }
})

describe('the texts of the elements of an array', () => {
  test.each([
    ['[]', []],
    ['[ ]', []],
    ['[1.0]', ['1.0']],
    ['[{"a":[1,2],"b":"x,]\\"}"}, [3,[4]] , "," ]', ['{"a":[1,2],"b":"x,]\\"}"}', '[3,[4]]', '","']],
  ])('of %s', (text, expected) => {
    expect(elementTexts(text)).toEqual(expected)
  })

  test('are what JSON reads there', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2), (array, space) => {
        const values = elementTexts(JSON.stringify(array, null, space)).map((text) => JSON.parse(text))
        expect(values).toEqual(JSON.parse(JSON.stringify(array)))
      }),
    )
  })
})
