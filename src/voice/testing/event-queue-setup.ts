/** An event queue on the database of a service, and calls whose events it stores. */
import { accountIdOf, insertCalls, live } from '../../../test/helpers/service/call-rows.ts'
import { openOffice, type VoiceService } from '../../../test/helpers/service/voice.ts'
import type { CallEvent } from '../../engine/port.ts'
import { createLog } from '../../kit/process/log.ts'
import { createTestTimers } from '../../kit/testing/test-timers.ts'
import { createEventQueue } from '../event-queue.ts'

/** When the calls begin. */
export const start = new Date('2026-11-15T12:00:00Z')

export async function openEventQueueSetup(service: VoiceService) {
  const office = await openOffice(service)
  const accountId = await accountIdOf(service.db, office.domain)
  const { calls, money } = service.app.services

  return {
    newCalls(count: number): Promise<string[]> {
      const call = { ...live('queued'), started_at: start, node: 'elsewhere' }
      return insertCalls(
        service.db,
        accountId,
        Array.from({ length: count }, () => call),
      )
    },
    rowOf: (id: string) =>
      service.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    createTestQueue({ db = service.db, announcer = calls.announcer } = {}) {
      const stored: CallEvent[] = []
      const timers = createTestTimers()
      const events = createEventQueue({
        db,
        timers,
        log: createLog('silent'),
        announcer,
        credit: money.credit,
        onStored: (event) => void stored.push(event),
      })
      return { ...events, timers, stored }
    },
  }
}
export type EventQueueSetup = Awaited<ReturnType<typeof openEventQueueSetup>>
