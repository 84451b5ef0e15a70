/**
 * Webhooks: what we tell, to whom, and trying again. An event and its deliveries are written with what they tell of;
 * from there on they are sent until the receiver has taken them, or 75 hours have passed.
 */
import type { Integrations } from '../integrations/integrations.ts'
import { isPublicAddress } from '../integrations/public-address.ts'
import type { WebhookSecrets } from '../integrations/webhook-secrets.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { Timers } from '../kit/timers.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'
import type { Caller } from '../users/caller.ts'
import { type Announced, announceAll } from './call-events.ts'
import { createDeliveries } from './deliveries.ts'
import { createDelivering } from './delivering/delivering.ts'
import { readEvents } from './feed.ts'
import { createDueNotices } from './notify.ts'
import type { CallHappening } from './payload.ts'
import { removeOld } from './retention.ts'
import { chooseFindAddresses, createGuard, type FindAddresses } from './sending/guard.ts'
import { createSender } from './sending/sender.ts'

type Deps = {
  db: Database
  clock: Clock
  timers: Timers
  log: Log
  notices: Notices
  integrations: Integrations
  secrets: WebhookSecrets
  /** D88 */
  allowPrivate: boolean
  findAddresses?: FindAddresses
  random?: () => number
}

export function createWebhooks({ db, clock, timers, log, notices, integrations, secrets, ...rest }: Deps) {
  const { allowPrivate, findAddresses = chooseFindAddresses(allowPrivate), random = Math.random } = rest
  const sender = createSender({
    guard: createGuard(allowPrivate ? () => true : isPublicAddress, findAddresses),
    timers,
  })
  const delivering = createDelivering({ db, clock, timers, log, secrets, sender, random })
  const due = createDueNotices({ db, notices, log, onDue: delivering.enqueue })
  const deliveries = createDeliveries({ db, clock, integrations, onDue: due.publish })

  return {
    /** In the transaction in which it happened; `wake` comes after. */
    announce: (tx: Database, happening: CallHappening) => announceAll(tx, clock.now(), [happening]),
    announceAll: (tx: Database, happenings: CallHappening[]) => announceAll(tx, clock.now(), happenings),
    /** After the commit. Who dies before saying it is made up for within a second or so. */
    wake: ({ integrations }: Announced) => due.publish(integrations),
    events: (caller: Caller, after: number, limit: number) => readEvents(db, caller, after, limit),
    deliveries,
    tick: delivering.tick,
    onWake: delivering.onWake,
    whenIdle: delivering.whenIdle,
    stop: delivering.stop,
    sweep: () => removeOld(db, clock),
  }
}
export type Webhooks = ReturnType<typeof createWebhooks>
