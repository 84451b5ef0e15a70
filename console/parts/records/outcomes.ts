/** The outcomes that calls of the account may have (D593). */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { ListedCall } from '../../api-types.ts'
import { useSignedIn } from '../../session.ts'

const staleMs = 300_000

export function useOutcomes() {
  const { data } = useQuery({
    queryKey: ['outcomes'],
    queryFn: () => request('GET', '/calls/outcomes'),
    staleTime: staleMs,
  })
  const outcomes = data?.outcomes ?? []
  return {
    outcomes,
    /** A call keeps an outcome that the account no longer has: its key is shown. */
    labelOf: (key: string) => outcomes.find((outcome) => outcome.key === key)?.label ?? key,
  }
}

/** D592: the user of the call, or an ADMIN. */
export function useMayChangeResult(call: Pick<ListedCall, 'user_uuid' | 'extension_user_uuid'>): boolean {
  const { user } = useSignedIn()
  return user.role === 'ADMIN' || [call.user_uuid, call.extension_user_uuid].includes(user.uuid)
}
