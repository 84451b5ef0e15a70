/** The extension from which the person of the session calls: one of their own. */
import { useQuery } from '@tanstack/react-query'
import { request } from './api.ts'
import type { Extension } from './api-types.ts'
import { useSignedIn } from './session.ts'

export const extensionsKey = ['extensions']

export function useExtensions() {
  return useQuery({ queryKey: extensionsKey, queryFn: () => request('GET', '/extensions') })
}

/** Undefined while it is not known, or if there is none. */
export function useOwnExtension(): Extension | undefined {
  const { user } = useSignedIn()
  const { data } = useExtensions()
  return data?.find(({ user_uuid }) => user_uuid === user.uuid)
}
