/**
 * D259: a recording that is still spooled on a process that is gone, so many hours after its call, is reported as lost.
 * If the machine comes back after all, the recording is stored and reported as ready.
 */

import type { CallAnnouncer } from '../calls/announcer.ts'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import type { Database } from '../store/database.ts'
import { markLost } from './recordings-store.ts'

const batchSize = 200

type Deps = {
  db: Database
  clock: Clock
  log: Log
  announcer: CallAnnouncer
  hours: number
}

export function createLostRecordings({ db, clock, log, announcer, hours }: Deps) {
  async function tick() {
    const before = plusSeconds(clock.now(), -hours * 3600)
    for (;;) {
      const [calls, receivers] = await db.transaction().execute(async (tx) => {
        const lost = await markLost(tx, before, batchSize)
        const announcements = lost.map((call) => announcer.announcementOf('recording-lost', call))
        return [lost, await announcer.announce(tx, announcements)] as const
      })
      announcer.publish(receivers)
      if (calls.length === 0) return
      log.error({ calls: calls.map(({ id }) => id) }, 'recordings are lost: their machines did not come back')
    }
  }

  return { tick }
}
