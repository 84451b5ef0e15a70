/**
 * Publishes which webhooks have due deliveries to the processes that deliver, after the commit. A transaction that
 * notifies would take a global lock at its commit, so that calls would wait for each other. Lost notices only delay:
 * the workers search for due deliveries every second.
 */
import type { Log } from '../kit/process/log.ts'
import type { Database } from '../store/database.ts'
import { type Notices, notify } from '../store/notices/notices.ts'

const channel = 'deliveries_due'

/** PostgreSQL takes messages below 8000 bytes. */
const maxLength = 7_900
/** Sent in place of a list that is too long. */
const many = '*'

type Deps = {
  db: Database
  notices: Notices
  log: Log
  onDue: (integrationIds: number[] | 'many') => void
}

export function createDueNotices({ db, notices, log, onDue }: Deps) {
  const due = new Set<number>()
  let isPublishing = false

  notices.listen(channel, (payload) => onDue(payload === many ? 'many' : payload.split(',').map(Number)))

  function publish(integrationIds: number[]) {
    for (const id of integrationIds) due.add(id)
    if (!isPublishing && due.size > 0) void publishAll()
  }

  /** One notice at a time: ids added in between go with the next. */
  async function publishAll() {
    isPublishing = true
    while (due.size > 0) {
      const list = [...due].join(',')
      due.clear()
      const message = list.length > maxLength ? many : list
      await notify(db, channel, message).catch((error: unknown) => {
        log.debug({ err: error }, 'webhooks: a notice of due deliveries was lost')
      })
    }
    isPublishing = false
  }

  return { publish }
}
