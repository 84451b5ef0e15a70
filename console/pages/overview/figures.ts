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

async function countBoth(started_at: Where) {
  const [total, answered] = await Promise.all([
    countCalls({ started_at }),
    countCalls({ started_at, answered_at: { neq: null } }),
  ])
  return { total, answered }
}

/** Calls since midnight and those answered, also of the same hours a week ago. */
export function useToday(timeZone: string) {
  return useQuery({
    queryKey: ['calls', 'today'],
    async queryFn() {
      const at = new Date()
      const midnight = startOfDay(at, timeZone, 0)
      const weekAgo = (moment: Date) => new Date(moment.getTime() - weekMs).toISOString()
      const [now, before] = await Promise.all([
        countBoth({ gte: midnight.toISOString() }),
        countBoth({ gte: weekAgo(midnight), lt: weekAgo(at) }),
      ])
      return { now, before }
    },
  })
}
