/**
 * Where a page ends, as an opaque text in `meta.nextCursor` (D135). The next page begins after the row with this sort key,
 * whatever was added or removed before it. A cursor belongs to one list, `where` and `order`; all of it is checked.
 */
import { createHash } from 'node:crypto'
import { refuseParameter } from '../contract/errors.ts'
import { isUuid } from '../kit/ids.ts'
import { isStorableNumber } from '../kit/text/json-text.ts'
import { limits } from './limits.ts'
import type { Order } from './order.ts'
import { pageTexts } from './texts.ts'

/** The values of a row by which its list is sorted, the id last. */
export type SortKey = readonly (string | null)[]

/**
 * The end of a page: its last row, and how many rows the whole list had when the first page was read, or `atLeast` that
 * many.
 */
export type PageEnd = { key: SortKey } & Total

export type Total = { total: number; atLeast?: boolean | undefined }

type Kind = 'uuid' | 'text' | 'number' | 'json number' | 'boolean'

/** A list and the part of a query that decides about the order of its rows. */
export type Sorting = { where: unknown; order: readonly Order[]; id: string; idKind: 'uuid' | 'integer' }

export function fingerprint({ where, order, id }: Sorting): string {
  return createHash('sha256')
    .update(JSON.stringify([id, where, order]))
    .digest('base64url')
    .slice(0, 22)
}

export function writeCursor(sorting: Sorting, page: number, { key, total, atLeast }: PageEnd): string {
  const parts = [fingerprint(sorting), page, total, key]
  return Buffer.from(JSON.stringify(atLeast ? [...parts, true] : parts)).toString('base64url')
}

/** The end of the page before, and the number of the page that follows it. */
export function readCursor(text: string, sorting: Sorting): PageEnd & { page: number } {
  const [print, page, total, key, atLeast, ...more] = decode(text)
  if (print !== fingerprint(sorting) && typeof print === 'string') {
    throw refuseParameter('cursor', pageTexts.foreignCursor)
  }
  const kinds = sorting.order.flatMap(kindsOf)
  if (!sorting.order.some(({ target }) => target.field.column === sorting.id))
    kinds.push(idKinds[sorting.idKind])
  if (
    more.length > 0 ||
    (atLeast !== undefined && atLeast !== true) ||
    !isCount(page) ||
    !isCount(total) ||
    !Array.isArray(key) ||
    key.length !== kinds.length ||
    !kinds.every((kind, index) => isOfKind(kind, key[index]))
  ) {
    throw unknownCursor()
  }
  return { page, total, key, atLeast }
}

const unknownCursor = () => refuseParameter('cursor', pageTexts.unknownCursor)

function decode(text: string): unknown[] {
  if (text.length > limits.filterLength || !/^[\w-]+$/.test(text)) throw unknownCursor()
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(value)) return value
  } catch {
    // Not JSON.
  }
  throw unknownCursor()
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= limits.largestPage
}

const idKinds = { uuid: 'uuid', integer: 'number' } as const

/** A json path is sorted by two keys: the number, then the text. */
function kindsOf({ target: { field } }: Order): Kind[] {
  switch (field.kind) {
    case 'json':
      return ['json number', 'text']
    case 'instant':
    case 'integer':
    case 'decimal':
      return ['number']
    case 'choice':
      return ['text']
    default:
      return [field.kind]
  }
}

/** Null is checked nowhere: compared with null, a column that has none gives no rows. */
function isOfKind(kind: Kind, value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'string') return false
  switch (kind) {
    case 'uuid':
      return isUuid(value)
    case 'number':
      return /^-?\d{1,18}$/.test(value)
    case 'json number':
      return isStorableNumber(value)
    case 'boolean':
      return value === 'true' || value === 'false'
    case 'text':
      return value.isWellFormed() && !value.includes('\0')
  }
}
