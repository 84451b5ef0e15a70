import { describe, expect, test } from 'vitest'
import { writeCursor } from './cursor.ts'
import { readBareList, readPagedList } from './list-query.ts'
import { thingList } from './testing/things.ts'

const reader = { timeZone: 'UTC', strictPaging: true }
const id = '00000000-0000-4000-8000-000000000001'
const asked = (filter: object) =>
  readPagedList(thingList, { page: '1', filter: JSON.stringify(filter) }, reader)
const resumed = (filter: object, cursor: string) =>
  readPagedList(thingList, { cursor, filter: JSON.stringify(filter) }, reader)
const forge = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url')

describe('a cursor (D135)', () => {
  test('is the end of a page, and the number of the next', () => {
    const filter = { order: 'madeAt,metadata.a DESC', where: { size: 1 } }
    const end = { key: ['1763164800123456', null, 'ação', id], total: 7 }
    const cursor = writeCursor(asked(filter), 3, end)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(resumed(filter, cursor)).toMatchObject({ page: 3, offset: 0, after: end })
    expect(resumed({ ...filter, limit: 5, offset: 2, fields: ['name'] }, cursor)).toMatchObject({
      limit: 5,
      offset: 0,
    })
  })

  test.each([{ where: { size: 2 } }, { order: 'name' }, {}])(
    'is refused with another filter: %j',
    (other) => {
      const cursor = writeCursor(asked({ where: { size: 1 } }), 2, { key: ['1', id], total: 7 })
      expect(() => resumed(other, cursor)).toThrow('cursor: belongs to another filter or order')
    },
  )

  const [print] = JSON.parse(
    Buffer.from(writeCursor(asked({}), 2, { key: [], total: 0 }), 'base64url').toString(),
  ) as [string]

  test.each([
    ['empty', ''],
    ['no base64', '%%%'],
    ['no JSON', 'abc'],
    ['no list', forge({})],
    ['no position', forge([print])],
    ['a page that is none', forge([print, -1, 7, ['1', id]])],
    ['a total that is none', forge([print, 2, '7', ['1', id]])],
    ['a key too few', forge([print, 2, 7, ['1']])],
    ['a key too many', forge([print, 2, 7, ['1', id, id]])],
    ['a number that is none', forge([print, 2, 7, ["1'; drop", id]])],
    ['an id that is none', forge([print, 2, 7, ['1', 'abc']])],
    ['a key that is no text', forge([print, 2, 7, [1, id]])],
    ['more than a position', forge([print, 2, 7, ['1', id], 1])],
  ])('is refused when it is %s', (_what, cursor) => {
    expect(() => resumed({}, cursor)).toThrow('cursor: must be one that we gave as nextCursor')
  })

  test('takes the place of page', () => {
    const cursor = writeCursor(asked({}), 2, { key: ['1', id], total: 7 })
    expect(() => readPagedList(thingList, { cursor, page: '2' }, reader)).toThrow('cursor: goes without page')
    expect(() => readPagedList(thingList, { cursor: [cursor, cursor] }, reader)).toThrow(
      'is given more than once',
    )
    expect(() => readBareList(thingList, { cursor }, reader)).toThrow('cursor: is not a known parameter')
  })
})
