/** The figures of the overview, from the list of calls and statistics. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import { startOfDay } from '../../parts/days.ts'

type Where = Record<string, unknown>

async function countCalls(where: Where): Promise<number> {
  const filter = JSON.stringify({ where, limit: 1 })
  const { meta } = await request('GET', '/calls', { query: { page: 1, filter } })
  return meta.totalItemCount
}

const weekMs = 7 * 86_400_000

/** Calls since midnight, those answered, and calls of the same hours a week ago. */
export function useToday(timeZone: string) {
  return useQuery({
    queryKey: ['calls', 'today'],
    async queryFn() {
      const now = new Date()
      const midnight = startOfDay(now, timeZone, 0)
      const since = { started_at: { gte: midnight.toISOString() } }
      const [total, answered, before] = await Promise.all([
        countCalls(since),
        countCalls({ ...since, answered_at: { neq: null } }),
        countCalls({
          started_at: {
            gte: new Date(midnight.getTime() - weekMs).toISOString(),
            lt: new Date(now.getTime() - weekMs).toISOString(),
          },
        }),
      ])
      return { total, answered, before }
    },
  })
}

/** How many days the balance lasts at the pace of the last week; null if nothing was spent. */
export function useDaysLeft(available: number | undefined) {
  return useQuery({
    queryKey: ['calls', 'pace', available],
    enabled: available !== undefined,
    async queryFn() {
      const now = Date.now()
      const query = { from: new Date(now - weekMs).toISOString(), to: new Date(now).toISOString() }
      const { data } = await request('GET', '/calls/stats', { query })
      const spent = data.reduce((sum, { cost }) => sum + cost, 0)
      return spent <= 0 ? null : Math.floor((available ?? 0) / (spent / 7))
    },
  })
}
