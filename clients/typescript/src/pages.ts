/** Lists in pages, read to their end by the cursor that each page gives for the next. */
import type { PageMeta } from './api-types.ts'
import type { Transport } from './transport.ts'

export type Filter = {
  /** Fields, `and`, `or`; operators as `{ duration: { gte: 30 } }`; `metadata.<key>` reaches into metadata. */
  where?: Record<string, unknown>
  order?: string | string[]
  /** Rows in one page, 1 to 1000. */
  limit?: number
  /** Rows left out at the start. */
  offset?: number
  fields?: string[] | Record<string, boolean>
  include?: unknown
}
export type Page<T> = { data: T[]; meta: PageMeta }
export type PageOptions = {
  filter?: Filter | undefined
  page?: number
  /** `meta.nextCursor` of the page before, in place of `page`. */
  cursor?: string | undefined
  signal?: AbortSignal | undefined
}

export async function readPage<T>(
  transport: Transport,
  path: string,
  { filter, page, cursor, signal }: PageOptions = {},
): Promise<Page<T>> {
  const query = { page: cursor === undefined ? (page ?? 1) : undefined, cursor, filter }
  return (await transport.send('GET', path, { query, signal })) as Page<T>
}

export async function* readAll<T>(
  transport: Transport,
  path: string,
  filter: Filter | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const page: Page<T> = await readPage(transport, path, { filter, cursor, signal })
    yield* page.data
    cursor = page.meta.nextCursor
  } while (cursor !== undefined)
}

export type UpdatesOptions = {
  /** Begin with what was changed at this time or later; by default with everything. */
  since?: Date | string | undefined
  /** In place of `since`: the `cursor` of the last page that you stored. */
  cursor?: string | undefined
  /** Records in one page, 1 to 1000. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

/** Pages of changed records up to now. Store the records of a page by their id, then keep its `cursor`. */
export async function* readUpdates<P extends { cursor: string; more: boolean }>(
  transport: Transport,
  path: string,
  { since, cursor: first, limit, signal }: UpdatesOptions = {},
): AsyncGenerator<P> {
  const updated_since = since instanceof Date ? since.toISOString() : since
  for (let cursor = first, more = true; more; ) {
    const start = cursor === undefined ? { updated_since } : { cursor }
    const page = (await transport.send('GET', path, { query: { ...start, limit }, signal })) as P
    yield page
    cursor = page.cursor
    more = page.more
  }
}
