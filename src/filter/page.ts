/** Pages of a list, and their description in the answer (D20, D21). */
import { refuse, refuseParameter } from '../contract/errors.ts'
import { type Sorting, type SortKey, type Total, writeCursor } from './cursor.ts'
import { limits } from './limits.ts'
import { noWholeNumber, pageTexts } from './texts.ts'

/** Without the parameter it is page 1, unless `strict`. */
export function readPage(raw: string | undefined, strict: boolean): number {
  if (raw === undefined) {
    if (!strict) return 1
    throw refuse('MISSING_REQUIRED_PARAMETER', { message: pageTexts.pageRequired })
  }
  return readWhole(raw, 1, limits.largestPage, 'page')
}

/** A whole number, as JSON or as text. */
export function readWhole(raw: unknown, min: number, max: number, path: string): number {
  const number = typeof raw === 'string' && /^\d{1,10}$/.test(raw) ? Number(raw) : raw
  if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
    throw refuseParameter(path, noWholeNumber(min, max))
  }
  return number
}

export type PageMeta = {
  totalItemCount: number
  totalPageCount: number
  /** D441 */
  totalIsLowerBound?: true
  itemsPerPage: number
  currentPage: number
  nextPage?: number
  previousPage?: number
  nextCursor?: string
}

/** Rows as they were read; `end` is the sort key of the last one, if more rows follow. */
export type RowsOf<Row> = { rows: Row[]; end: SortKey | undefined }

export type PageOf<Row> = RowsOf<Row> & Total

type Asked = Sorting & { page: number; limit: number; leftOut: number }

/** Pages are counted after the rows that `filter.offset` leaves out. */
export function pageMeta(query: Asked, { total, atLeast, end }: Omit<PageOf<unknown>, 'rows'>): PageMeta {
  const { page, limit, leftOut } = query
  const counted = Math.ceil(Math.max(0, total - leftOut) / limit)
  // A row may have been added between reading the page and counting.
  const pages = end ? Math.max(counted, page + 1) : counted
  return {
    totalItemCount: total,
    totalPageCount: pages,
    ...(atLeast && { totalIsLowerBound: true }),
    itemsPerPage: limit,
    currentPage: page,
    ...(end && {
      nextPage: page + 1,
      nextCursor: writeCursor(query, page + 1, { key: end, total, atLeast }),
    }),
    ...(page > 1 && page - 1 <= pages && { previousPage: page - 1 }),
  }
}
