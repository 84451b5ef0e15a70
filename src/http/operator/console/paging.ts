/** Search text and page of a list for the operator. */
import type { FastifyRequest } from 'fastify'

export const perPage = 25
const maxPage = 100_000
const maxTextLength = 200

export const readPaging = ({ query }: FastifyRequest) => readPagingOf(query as Record<string, unknown>)

export function readPagingOf({ search, page: given }: Record<string, unknown>) {
  const text = typeof search === 'string' ? search.trim().slice(0, maxTextLength) : ''
  const page = Math.min(maxPage, Math.max(1, Math.floor(Number(given)) || 1))
  return { text, page, offset: (page - 1) * perPage }
}

/** One page of a list that is whole in memory. */
export function pageOf<T>(all: T[], { page, offset }: ReturnType<typeof readPaging>) {
  return { rows: all.slice(offset, offset + perPage), total: all.length, page, perPage }
}
