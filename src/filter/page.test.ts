import { describe, expect, test } from 'vitest'
import { pageMeta, readPage } from './page.ts'

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

  test('the first, a middle and the last page', () => {
    expect(pageMeta({ page: 1, limit: 100, offset: 0 }, 250)).toEqual({ ...counts(250, 3, 1), nextPage: 2 })
    expect(pageMeta({ page: 2, limit: 100, offset: 100 }, 250)).toEqual({
      ...counts(250, 3, 2),
      nextPage: 3,
      previousPage: 1,
    })
    expect(pageMeta({ page: 3, limit: 100, offset: 200 }, 250)).toEqual({
      ...counts(250, 3, 3),
      previousPage: 2,
    })
  })

  test('no rows are no pages', () => {
    expect(pageMeta({ page: 1, limit: 100, offset: 0 }, 0)).toEqual(counts(0, 0, 1))
  })

  test('past the end there is a previous page only if that one exists', () => {
    expect(pageMeta({ page: 4, limit: 100, offset: 300 }, 250)).toEqual({
      ...counts(250, 3, 4),
      previousPage: 3,
    })
    expect(pageMeta({ page: 9, limit: 100, offset: 800 }, 250)).toEqual(counts(250, 3, 9))
  })

  test('rows left out by an offset fill no page', () => {
    expect(pageMeta({ page: 1, limit: 100, offset: 60 }, 250)).toEqual({ ...counts(250, 2, 1), nextPage: 2 })
    expect(pageMeta({ page: 1, limit: 100, offset: 300 }, 250)).toEqual(counts(250, 0, 1))
  })
})
