/** Presence of colleagues (D674). */
import { useQuery } from '@tanstack/react-query'
import { request } from '../api.ts'
import { queryClient } from '../session.ts'

const presencesKey = ['presences']
/** The stream of what happens has no calls of colleagues for a USER: it is asked again, while somebody looks. */
const readEveryMs = 2_000

const query = { queryKey: presencesKey, queryFn: () => request('GET', '/extensions/presence') }

/** `isWatched`: kept up to date. */
export function usePresences(isWatched: boolean) {
  return useQuery({ ...query, enabled: isWatched, refetchInterval: readEveryMs }).data ?? []
}

/** Do not disturb of the user's own extension, read when the page loads or comes back; undefined until it is known. */
export function useUndisturbed(extensionId: number | undefined): boolean | undefined {
  const { data } = useQuery({ ...query, enabled: extensionId !== undefined })
  return data?.find(({ id }) => id === extensionId)?.do_not_disturb
}

/** D675 */
export async function setDoNotDisturb(id: number, isOn: boolean) {
  const body = { do_not_disturb: isOn }
  await request('PUT', '/extensions/{id}/do-not-disturb', { path: { id }, body })
  // An answer to a request from before the change would show the earlier state.
  await queryClient.cancelQueries({ queryKey: presencesKey })
  await queryClient.invalidateQueries({ queryKey: presencesKey })
}
