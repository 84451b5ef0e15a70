/** Parses the parameters of a list request into a query. */
import { refuseParameter } from '../contract/errors.ts'
import { type Condition, everything } from './condition.ts'
import { type PageEnd, readCursor } from './cursor.ts'
import { checkInclude } from './include.ts'
import { limits } from './limits.ts'
import type { List } from './list.ts'
import { type Order, readOrder } from './order.ts'
import { readPage, readWhole } from './page.ts'
import { type ListParameters, type QueryString, readQueryString } from './query-string.ts'
import { readSelection, type Selection } from './selection.ts'
import { pageTexts, queryTexts } from './texts.ts'
import { below } from './where/raw.ts'
import { startReading } from './where/reading.ts'
import { readWhere } from './where/where.ts'

export type ListQuery = {
  where: Condition
  order: readonly Order[]
  /** The column that is the last sort key. */
  id: string
  idKind: 'uuid' | 'integer'
  limit: number
  offset: number
  /** Only rows after the end of another page. */
  after?: PageEnd | undefined
  fields: Selection
}

/** `leftOut`: rows before the first page, of which `offset` counts the pages before as well. */
export type PagedQuery = ListQuery & { page: number; leftOut: number }

/** `timeZone` is the account's: times without an offset are local to it (D16). */
type ReadOptions = { timeZone: string; strictPaging?: boolean }

/** A list in pages: `page` is required if `strictPaging` (D21), unless a `cursor` is given (D135). */
export function readPagedList(list: List, query: QueryString, options: ReadOptions): PagedQuery {
  const parameters = readQueryString(query)
  const { limit = limits.pageSize, offset: leftOut, ...rest } = readFilter(list, parameters, options)
  if (parameters.cursor !== undefined) {
    if (parameters.page !== undefined) throw refuseParameter('cursor', pageTexts.cursorAndPage)
    const { page, ...after } = readCursor(parameters.cursor, rest)
    return { ...rest, page, limit, leftOut, offset: 0, after }
  }
  const page = readPage(parameters.page, options.strictPaging ?? false)
  return { ...rest, page, limit, leftOut, offset: leftOut + (page - 1) * limit }
}

/** A list without pages: all rows up to a cap (D27). */
export function readBareList(list: List, query: QueryString, options: ReadOptions): ListQuery {
  const parameters = readQueryString(query)
  for (const name of ['page', 'cursor'] as const) {
    if (parameters[name] !== undefined) throw refuseParameter(name, queryTexts.unknownParameter)
  }
  const { limit = limits.bareRows, ...rest } = readFilter(list, parameters, options)
  return { ...rest, limit }
}

type Filter = Omit<ListQuery, 'limit'> & { limit: number | undefined }

const knownKeys = ['where', 'order', 'limit', 'offset', 'skip', 'fields', 'include']

/** D376: null stands for a key that is left out, and an empty list for no order, as in LoopBack. */
function readFilter(list: List, { filter, textual }: ListParameters, { timeZone }: ReadOptions): Filter {
  for (const key of Object.keys(filter)) {
    if (!knownKeys.includes(key)) throw refuseParameter(below('filter', key), queryTexts.unknownKey)
  }
  if (Object.hasOwn(filter, 'include')) checkInclude(filter.include, 'filter.include')

  const reading = startReading(list.fields, timeZone, textual)
  const read = <T>(key: string, reader: (raw: unknown, path: string) => T): T | undefined =>
    Object.hasOwn(filter, key) && filter[key] !== null ? reader(filter[key], below('filter', key)) : undefined
  const order = read('order', (raw, path) => readOrder(list.fields, raw, path)) ?? []
  return {
    where: read('where', (raw, path) => readWhere(reading, raw, path)) ?? everything,
    order: order.length > 0 ? order : list.order,
    id: list.id,
    idKind: list.idKind,
    limit: read('limit', (raw, path) => readWhole(raw, 1, limits.largestPageSize, path)),
    offset: readOffset(read('offset', readSkipped), read('skip', readSkipped)),
    fields: read('fields', (raw, path) => readSelection(list, raw, path)),
  }
}

function readSkipped(raw: unknown, path: string): number {
  return readWhole(raw, 0, limits.largestOffset, path)
}

/** `skip` is another name for `offset`; two different numbers are refused. */
function readOffset(offset: number | undefined, skip: number | undefined): number {
  if (offset !== undefined && skip !== undefined && offset !== skip) {
    throw refuseParameter('filter.skip', pageTexts.skipDiffers)
  }
  return offset ?? skip ?? 0
}
