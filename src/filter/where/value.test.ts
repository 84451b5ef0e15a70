import { describe, expect, test } from 'vitest'
import type { Field } from '../fields.ts'
import { readValue } from './value.ts'

const read = (field: Partial<Field>, raw: unknown) =>
  readValue({ column: 'c', ...field } as Field, raw, 'x', 'America/Sao_Paulo')

describe('a text', () => {
  test('may be written as a number or a boolean', () => {
    expect(read({ kind: 'text' }, 1000)).toBe('1000')
    expect(read({ kind: 'text' }, true)).toBe('true')
    expect(read({ kind: 'text' }, '')).toBe('')
  })

  test('is lower-cased where the column is', () => {
    expect(read({ kind: 'text', lowercase: true }, 'Ana@Example.COM')).toBe('ana@example.com')
  })

  test('is refused where PostgreSQL cannot hold it', () => {
    expect(() => read({ kind: 'text' }, 'a\0')).toThrow('x: must not contain the NUL character')
    expect(() => read({ kind: 'text' }, 'a\ud800')).toThrow('x: must be well-formed Unicode')
    expect(() => read({ kind: 'json' }, ['a'])).toThrow('x: must be text')
    expect(() => read({ kind: 'text' }, JSON.parse('1e999'))).toThrow('x: must be text')
  })
})

describe('a number', () => {
  const money = { kind: 'decimal', scale: 2 } as const

  test('counts in the column’s unit', () => {
    expect(read(money, 12.5)).toBe('1250')
    expect(read(money, '12.50')).toBe('1250')
    expect(read(money, '-0.01')).toBe('-1')
    expect(read({ kind: 'decimal', scale: 4 }, 0.0825)).toBe('825')
    expect(read({ kind: 'integer' }, '10')).toBe('10')
    expect(read({ kind: 'integer' }, '10.0')).toBe('10')
  })

  test('has no more decimals than the column', () => {
    expect(() => read(money, 12.345)).toThrow('x: must have at most 2 decimals')
    expect(() => read(money, 1e-7)).toThrow('x: must have at most 2 decimals')
    expect(() => read({ kind: 'integer' }, 1.5)).toThrow('x: must be a whole number')
  })

  test('fits a bigint, and was not rounded on its way here', () => {
    expect(read({ kind: 'integer' }, '9223372036854775807')).toBe('9223372036854775807')
    expect(() => read({ kind: 'integer' }, '9223372036854775808')).toThrow('x: is out of range')
    expect(() => read({ kind: 'integer' }, 2 ** 53)).toThrow('x: is out of range')
    expect(() => read(money, 1e300)).toThrow('x: is out of range')
  })

  test.each(['', ' 1', '0x10', '1e3', 'ten', 'NaN', null, true, [], {}])('is not %j', (raw) => {
    expect(() => read(money, raw)).toThrow('x: must be a number')
  })
})

test('a boolean is true or false, 1 or 0, bare or as text', () => {
  const read01 = (raw: unknown) => read({ kind: 'boolean' }, raw)
  expect([true, 'true', 1, '1'].map(read01)).toEqual(Array(4).fill('true'))
  expect([false, 'false', 0, '0'].map(read01)).toEqual(Array(4).fill('false'))
  for (const raw of [2, -1, 'yes', '', null, [], {}]) {
    expect(() => read01(raw)).toThrow('x: must be true or false, 1 or 0')
  }
})

test('a choice outside the choices is answered with the choices', () => {
  const role = { kind: 'choice', choices: ['ADMIN', 'USER'] } as const
  expect(read(role, 'ADMIN')).toBe('ADMIN')
  expect(() => read(role, 'admin')).toThrow('x: must be one of ADMIN, USER')
})

test('an id that is compared by order is a UUID, in either case', () => {
  const id = '0199F1C2-7C1D-7000-8000-00000000000A'
  expect(read({ kind: 'uuid' }, id)).toBe(id.toLowerCase())
  expect(() => read({ kind: 'uuid' }, id.replaceAll('-', ''))).toThrow('x: must be a UUID')
  expect(() => read({ kind: 'uuid' }, 7)).toThrow('x: must be a UUID')
})
