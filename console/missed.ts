/** Missed calls that nobody has called back (D600): counted in the title of the tab and beside the phone. */
import { useQuery } from '@tanstack/react-query'
import { request } from './api.ts'

export const missedKey = ['missed']

/** Live events bring most changes; calls of colleagues, which a USER gets no events of, come with the next reading. */
const readAgainMs = 300_000

export type MissedState = 'open' | 'done' | 'all'

export function useMissed(state: MissedState = 'open') {
  return useQuery({
    queryKey: [...missedKey, state],
    queryFn: () => request('GET', '/calls/missed', { query: { state } }),
    refetchInterval: readAgainMs,
  })
}
