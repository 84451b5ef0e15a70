/** What calls cost in the last seven days and in the seven before, and how long the credit lasts at that pace. */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'

const weekMs = 7 * 86_400_000

async function costBetween(from: number, to: number): Promise<number> {
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const { data } = await request('GET', '/calls/stats', { query })
  return data.reduce((sum, { cost }) => sum + cost, 0)
}

export function useSpending(isWanted: boolean) {
  return useQuery({
    queryKey: ['calls', 'spending'],
    enabled: isWanted,
    async queryFn() {
      const now = Date.now()
      const [week, before] = await Promise.all([
        costBetween(now - weekMs, now),
        costBetween(now - 2 * weekMs, now - weekMs),
      ])
      return { week, before }
    },
  })
}

/** Undefined if nothing was spent. */
export const daysLeft = (available: number, week: number): number | undefined =>
  week <= 0 ? undefined : Math.floor(available / (week / 7))
