/**
 * Webhooks: events are written with their deliveries in the transaction in which they happen; the delivery worker sends
 * each until the receiver accepts it, or gives up after 75 hours.
 */
import type { Integrations } from '../integrations/integrations.ts'
import { isPublicAddress } from '../integrations/public-address.ts'
import type { WebhookSecrets } from '../integrations/webhook-secrets.ts'
import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/process/log.ts'
import type { Timers } from '../kit/timers.ts'
import type { Statements } from '../store/connection/pipeline.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices/notices.ts'
import type { Searches } from '../store/searches.ts'
import type { Caller } from '../users/caller.ts'
import { announceCalls, prepareCalls } from './call-events.ts'
import { createDeliveries } from './deliveries.ts'
import { readDeliveryQueue } from './deliveries-store.ts'
import { createDelivering } from './delivering/delivering.ts'
import type { OnAttempts } from './delivering/recorder.ts'
import { createDeliveryStats } from './delivery-stats.ts'
import { createEventLog } from './event-log/event-log.ts'
import { createReplay } from './event-log/replay.ts'
import type { EventReceiver } from './events-store.ts'
import { type FeedStart, readAllEvents, readEvents } from './feed.ts'
import { createDueNotices } from './notify.ts'
import { type CallAnnouncement, createBodyWriter } from './payload.ts'
import { removeOld } from './retention.ts'
import { chooseFindAddresses, createGuard, type FindAddresses } from './sending/guard.ts'
import { createSender, type Receivers } from './sending/sender.ts'

type Deps = {
  db: Database
  clock: Clock
  searches: Searches
  timers: Timers
  log: Log
  notices: Notices
  integrations: Integrations
  secrets: WebhookSecrets
  /** Signs the links in a stored payload. */
  signPayload: (payload: string) => string
  /** D88: addresses outside the public network are allowed. */
  allowPrivate: boolean
  perHostSecond: number
  findAddresses?: FindAddresses
  /** In place of the network. */
  receivers?: Receivers | undefined
  random?: () => number
  onAttempts?: OnAttempts
}

export function createWebhooks({
  db,
  clock,
  searches,
  timers,
  log,
  notices,
  integrations,
  secrets,
  signPayload,
  allowPrivate,
  perHostSecond,
  findAddresses = chooseFindAddresses(allowPrivate),
  receivers,
  random = Math.random,
  onAttempts,
}: Deps) {
  const sender = createSender({
    guard: createGuard(allowPrivate ? () => true : isPublicAddress, findAddresses),
    timers,
    receivers,
  })
  const writeBody = createBodyWriter(signPayload)
  const delivering = createDelivering({
    db,
    clock,
    timers,
    log,
    secrets,
    writeBody,
    sender,
    random,
    perHostSecond,
    onAttempts,
  })
  const due = createDueNotices({ db, notices, log, onDue: delivering.enqueue })
  const deliveries = createDeliveries({
    db,
    clock,
    searches,
    integrations,
    writeBody,
    onDue: due.publish,
  })

  return {
    /** In the transaction in which they happen; `publish` the receivers after the commit. */
    announceCalls: (tx: Statements, announcements: CallAnnouncement[]) =>
      announceCalls(tx, clock.now(), announcements),
    /** Returns what writes them. */
    prepareCalls: (tx: Statements, announcements: CallAnnouncement[]) =>
      prepareCalls(tx, clock.now(), announcements),
    /** Optional: without it the deliveries are found by the worker's next search, within a second. */
    publish: (receivers: EventReceiver[]) => due.publish(receivers.map(({ integrationId }) => integrationId)),
    events: (caller: Caller, start: FeedStart, limit: number) =>
      readEvents(db, writeBody, caller, start, limit),
    allEvents: (caller: Caller, start: FeedStart) => readAllEvents(db, writeBody, caller, start),
    eventLog: createEventLog({ db, writeBody }),
    replay: createReplay({ db, clock, integrations, onDue: due.publish }),
    deliveries,
    deliveryStats: createDeliveryStats({ clock, searches, integrations }),
    queue: () => readDeliveryQueue(db),
    tick: delivering.tick,
    onWake: delivering.onWake,
    whenIdle: delivering.whenIdle,
    health: delivering.health,
    stop: delivering.stop,
    sweep: () => removeOld(db, clock),
  }
}
export type { Receivers } from './sending/sender.ts'
export type Webhooks = ReturnType<typeof createWebhooks>
