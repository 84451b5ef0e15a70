/** The routes of the operator console, which are no part of the API. */
import { useQuery } from '@tanstack/react-query'
import { AuthenticationError } from '../../clients/typescript/src/errors.ts'
import { Transport } from '../../clients/typescript/src/transport.ts'
import type { OperatorAccess, OperatorPage } from '../../src/contract/operator.ts'
import type { OperatorSetUpBegun, OperatorSetUpFinished } from '../../src/contract/operator-people.ts'
import { options } from '../api.ts'
import type { PageMeta } from '../api-types.ts'
import { queryClient } from '../session.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const accessKey = ['operator access']

const transport = new Transport(options, '/operator/api')

async function send<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return (await transport.send(method, path, { body })) as T
}

/** A request of the operator. When the session is over, the log-in is shown again. */
export async function operate<T>(method: Method, path: string, body?: unknown): Promise<T> {
  try {
    return await send<T>(method, path, body)
  } catch (error) {
    if (error instanceof AuthenticationError) queryClient.setQueryData(accessKey, null)
    throw error
  }
}

/** Null without a session. */
export function useAccess() {
  return useQuery({
    queryKey: accessKey,
    queryFn: async () => {
      try {
        return await send<OperatorAccess>('GET', '/session')
      } catch (error) {
        if (error instanceof AuthenticationError) return null
        throw error
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const signIn = (token: string) => begin('/session', { token })

export const logIn = (given: { email: string; password: string; code?: string }) => begin('/login', given)

export const beginSetUp = (link: string) => send<OperatorSetUpBegun>('POST', '/set-up/begin', { link })

export const finishSetUp = (given: { link: string; password: string; code: string }) =>
  send<OperatorSetUpFinished>('POST', '/set-up', given)

async function begin(path: string, body: unknown) {
  const access = await send<OperatorAccess>('POST', path, body)
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey !== accessKey })
  queryClient.setQueryData(accessKey, access)
}

export async function signOut() {
  await operate('DELETE', '/session')
  queryClient.setQueryData(accessKey, null)
}

/** One page of a list. */
export function useList<T>(name: string, filters: Record<string, string>, page: number) {
  const query = new URLSearchParams(filters)
  query.set('page', String(page))
  return useQuery({
    queryKey: ['operator', name, filters, page],
    queryFn: () => operate<OperatorPage<T>>('GET', `/${name}?${query}`),
    placeholderData: (before) => before,
  })
}

export function metaOf({ total, page, perPage }: OperatorPage<unknown>): PageMeta {
  const pages = Math.ceil(total / perPage)
  return {
    totalItemCount: total,
    totalPageCount: pages,
    itemsPerPage: perPage,
    currentPage: page,
    ...(page < pages && { nextPage: page + 1 }),
    ...(page > 1 && { previousPage: page - 1 }),
  }
}
