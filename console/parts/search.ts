/** Searching and paging rows that the page has all of. Pure. */
import type { PageMeta } from '../api-types.ts'

/** Without accents and capitals. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Rows that have every word of the search somewhere in their text. */
export function searchRows<T>(rows: T[], search: string, textOf: (row: T) => string): T[] {
  const wanted = plain(search).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const text = plain(textOf(row))
    return wanted.every((word) => text.includes(word))
  })
}

/** A page of rows, described like a page of the service; the last one if there are fewer. */
export function pageOf<T>(rows: T[], page: number, itemsPerPage: number): { rows: T[]; meta: PageMeta } {
  const totalPageCount = Math.max(1, Math.ceil(rows.length / itemsPerPage))
  const currentPage = Math.min(Math.max(1, page), totalPageCount)
  return {
    rows: rows.slice((currentPage - 1) * itemsPerPage, currentPage * itemsPerPage),
    meta: {
      totalItemCount: rows.length,
      totalPageCount,
      itemsPerPage,
      currentPage,
      ...(currentPage < totalPageCount && { nextPage: currentPage + 1 }),
      ...(currentPage > 1 && { previousPage: currentPage - 1 }),
    },
  }
}
