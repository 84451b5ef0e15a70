import { describe, expect, test } from 'vitest'
import { readBrackets } from './brackets.ts'

const read = (query: Record<string, string | string[]>) => readBrackets(Object.entries(query))

describe('brackets', () => {
  test('name what lies inside', () => {
    expect(
      read({ 'filter[where][from]': '1000', 'filter[where][metadata.a]': 'b', 'filter[limit]': '5' }),
    ).toEqual({
      where: { from: '1000', 'metadata.a': 'b' },
      limit: '5',
    })
  })

  test('with the numbers from 0 make an array, in the order of the numbers', () => {
    expect(read({ 'filter[where][or][1][a]': 'x', 'filter[where][or][0][b]': 'y' })).toEqual({
      where: { or: [{ b: 'y' }, { a: 'x' }] },
    })
  })

  test('with a number missing make no array', () => {
    expect(read({ 'filter[order][0]': 'a', 'filter[order][2]': 'b' })).toEqual({ order: { 0: 'a', 2: 'b' } })
    expect(read({ 'filter[order][00]': 'a' })).toEqual({ order: { '00': 'a' } })
  })

  test('left empty list values', () => {
    expect(read({ 'filter[fields][]': ['id', 'name'] })).toEqual({ fields: ['id', 'name'] })
    expect(read({ 'filter[where][x][inq][]': '1' })).toEqual({ where: { x: { inq: ['1'] } } })
  })

  test('may hold names that objects are born with', () => {
    const filter = read({ 'filter[where][__proto__][x]': '1', 'filter[constructor]': '2' })
    expect(Object.keys(filter)).toEqual(['where', 'constructor'])
    expect(Object.keys(filter.where as object)).toEqual(['__proto__'])
  })

  test.each([
    [{ 'filter[limit]': ['1', '2'] }, 'filter[limit]: is given more than once'],
    [{ 'filter[a]': '1', 'filter[a][b]': '2' }, 'filter[a][b]: is given a value and keys'],
    [{ 'filter[a][b]': '2', 'filter[a]': '1' }, 'filter[a]: is given more than once'],
    [{ 'filter[a][0]': '2', 'filter[a][]': '1' }, 'filter[a][]: is given more than once'],
    [{ 'filter[a': '2' }, 'filter[a: has brackets that do not close'],
    [{ 'filter[a]b': '2' }, 'filter[a]b: has brackets that do not close'],
    [{ 'filter[a[b]]': '2' }, 'filter[a[b]]: has brackets that do not close'],
    [{ [`filter${'[a]'.repeat(30)}`]: '1' }, 'is nested too deep'],
  ])('refuse %j', (query, message) => {
    expect(() => read(query)).toThrow(message)
  })
})
