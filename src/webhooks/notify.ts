/**
 * Tells the processes that deliver which webhooks have something to send. Said after the commit and not in it: who
 * notifies commits alone, and calls would wait for each other. What is never said is found by looking.
 */
import { sql } from 'kysely'
import type { Log } from '../kit/log.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'

const channel = 'deliveries_due'
/** PostgreSQL takes messages below 8000 bytes. */
const longest = 7_900
/** In place of a list that is too long. */
const many = '*'

type Deps = { db: Database; notices: Notices; log: Log; onDue: (integrations: number[] | 'many') => void }

export function createDueNotices({ db, notices, log, onDue }: Deps) {
  const due = new Set<number>()
  let telling = false

  notices.listen(channel, (payload) => onDue(payload === many ? 'many' : payload.split(',').map(Number)))

  function tell(integrations: number[]) {
    for (const id of integrations) due.add(id)
    if (!telling && due.size > 0) void tellAll()
  }

  /** What is due while a message is on its way goes with the next. */
  async function tellAll() {
    telling = true
    while (due.size > 0) {
      const list = [...due].join(',')
      due.clear()
      const message = list.length > longest ? many : list
      await sql`select pg_notify(${channel}, ${message})`.execute(db).catch((error: unknown) => {
        log.debug({ err: error }, 'webhooks: due deliveries will be found by looking')
      })
    }
    telling = false
  }

  return { tell }
}
