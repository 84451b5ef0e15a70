/** How much waits in a queue, and since when: for the operator. */
import { sql } from 'kysely'

export type QueueState = {
  waiting: number
  /** Since when the oldest waits. */
  oldest: Date | null
}

/** What a store selects of the rows that wait; `since` is the column that says since when. */
export const selectQueueState = (since: string) =>
  [sql<number>`count(*)::int`.as('waiting'), sql<Date | null>`min(${sql.ref(since)})`.as('oldest')] as const
