import { describe, expect, test } from 'vitest'
import { readPagedList } from './list-query.ts'
import { pageMeta, readPage } from './page.ts'
import { thingList } from './testing/things.ts'

describe('page', () => {
  test('is a whole number from 1', () => {
    expect(readPage('1', true)).toBe(1)
    expect(readPage('2147483647', true)).toBe(2147483647)
    for (const raw of ['0', '-1', '1.5', '', ' 1', 'x', '1e3', '2147483648', '99999999999']) {
      expect(() => readPage(raw, false)).toThrow('page: must be a whole number from 1 to 2147483647')
    }
  })

  test('is 1 if missing, unless paging is strict', () => {
    expect(readPage(undefined, false)).toBe(1)
    expect(() => readPage(undefined, true)).toThrow(
      expect.objectContaining({ code: 'MISSING_REQUIRED_PARAMETER' }),
    )
  })
})

describe('what an answer says of its pages', () => {
  const counts = (total: number, pages: number, page: number) => ({
    totalItemCount: total,
    totalPageCount: pages,
    itemsPerPage: 100,
    currentPage: page,
  })
  const asked = (page: number, offset = 0) =>
    readPagedList(thingList, { page: String(page), filter: JSON.stringify({ offset }) }, { timeZone: 'UTC' })
  const meta = (page: number, total: number, { offset = 0, more = false } = {}) => {
    const end = more ? ['1', '00000000-0000-4000-8000-000000000001'] : undefined
    const { nextCursor, ...rest } = pageMeta(asked(page, offset), { total, end })
    expect(typeof nextCursor).toBe(more ? 'string' : 'undefined')
    return rest
  }

  test('the first, a middle and the last page', () => {
    expect(meta(1, 250, { more: true })).toEqual({ ...counts(250, 3, 1), nextPage: 2 })
    expect(meta(2, 250, { more: true })).toEqual({ ...counts(250, 3, 2), nextPage: 3, previousPage: 1 })
    expect(meta(3, 250)).toEqual({ ...counts(250, 3, 3), previousPage: 2 })
  })

  test('a page that has a successor is not the last, however many were counted', () => {
    expect(meta(3, 250, { more: true })).toEqual({ ...counts(250, 4, 3), nextPage: 4, previousPage: 2 })
  })

  test('no rows are no pages', () => {
    expect(meta(1, 0)).toEqual(counts(0, 0, 1))
  })

  test('past the end there is a previous page only if that one exists', () => {
    expect(meta(4, 250)).toEqual({ ...counts(250, 3, 4), previousPage: 3 })
    expect(meta(9, 250)).toEqual(counts(250, 3, 9))
  })

  test('rows left out by an offset fill no page', () => {
    expect(meta(1, 250, { offset: 60, more: true })).toEqual({ ...counts(250, 2, 1), nextPage: 2 })
    expect(meta(1, 250, { offset: 300 })).toEqual(counts(250, 0, 1))
  })
})
