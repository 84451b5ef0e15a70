/** The outcomes that calls of the account may have (D593). */
import { useQuery } from '@tanstack/react-query'
import { client, must } from '../../api.ts'

const staleMs = 300_000

export function useOutcomes() {
  const { data } = useQuery({
    queryKey: ['outcomes'],
    queryFn: () => must(client.GET('/calls/outcomes')),
    staleTime: staleMs,
  })
  const outcomes = data?.outcomes ?? []
  return {
    outcomes,
    /** A call keeps an outcome that the account no longer has: its key is shown. */
    labelOf: (key: string) => outcomes.find((outcome) => outcome.key === key)?.label ?? key,
  }
}
