import { expect, test } from 'vitest'
import { pageOf, searchRows } from '../../console/parts/search.ts'

const names = ['Ana Conceição', 'Bia Lima', 'José Ana']

test('a row is found by every word of the search, without accents and capitals', () => {
  const search = (text: string) => searchRows(names, text, (name) => name)
  expect(search('conceicao')).toEqual(['Ana Conceição'])
  expect(search('ANA jose')).toEqual(['José Ana'])
  expect(search('  ')).toEqual(names)
  expect(search('ana lima')).toEqual([])
})

test('rows are paged, and a page beyond the end is the last one', () => {
  const rows = Array.from({ length: 101 }, (_, index) => index)
  expect(pageOf(rows, 2, 50)).toMatchObject({ meta: { currentPage: 2, nextPage: 3, previousPage: 1 } })
  expect(pageOf(rows, 9, 50)).toMatchObject({ rows: [100], meta: { currentPage: 3, totalPageCount: 3 } })
  expect(pageOf([], 1, 50).meta).toMatchObject({ totalPageCount: 1, totalItemCount: 0 })
})
