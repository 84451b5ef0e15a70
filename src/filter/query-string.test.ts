import { describe, expect, test } from 'vitest'
import { readQueryString } from './query-string.ts'

describe('the parameters of a list (D23)', () => {
  test('are the page and the filter, as JSON or in brackets', () => {
    const filter = { where: { a: '1' } }
    expect(readQueryString({ page: '2', filter: '{"where":{"a":"1"}}' })).toEqual({
      page: '2',
      filter,
      textual: false,
    })
    expect(readQueryString({ 'filter[where][a]': '1' })).toEqual({ page: undefined, filter, textual: true })
  })

  test('may be missing; an empty filter and null ask for nothing', () => {
    for (const filter of [undefined, '', 'null', '{}']) {
      expect(readQueryString({ filter })).toEqual({ page: undefined, filter: {}, textual: false })
    }
  })

  test.each([
    [{ pag: '1' }, 'pag: is not a known parameter'],
    [JSON.parse('{"__proto__":"1"}'), '__proto__: is not a known parameter'],
    [{ page: ['1', '2'] }, 'page: is given more than once'],
    [{ filter: ['{}', '{}'] }, 'filter: is given more than once'],
    [{ filter: '{}', 'filter[limit]': '1' }, 'filter: must be JSON or brackets, not both'],
    [
      { filter: '{where:{status:busy}}' },
      'filter: is not valid JSON: names and text need double quotes, as in {"where":{"status":"busy"}}',
    ],
    [{ filter: '[1]' }, 'filter: must be a JSON object'],
    [{ filter: '"text"' }, 'filter: must be a JSON object'],
    [{ filter: '0' }, 'filter: must be a JSON object'],
    [{ filter: 'x'.repeat(65_537) }, 'filter: must not be longer than 65536 characters'],
    [{ 'filter[a]': 'x'.repeat(65_536) }, 'filter: must not be longer than 65536 characters'],
  ])('are refused: %j', (query, message) => {
    expect(() => readQueryString(query)).toThrow(message)
  })
})
