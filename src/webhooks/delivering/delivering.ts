/**
 * The delivery worker: claim what is due, commit, send, record. Neither claiming nor recording waits for a receiver, so
 * a slow receiver delays only its own deliveries. A delivery whose worker dies is sent again when its lease ends, under
 * the same message id.
 */

import type { WebhookSecrets } from '../../integrations/webhook-secrets.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { createOutcomes, type Health } from '../../kit/outcomes.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import type { WriteBody } from '../payload.ts'
import type { Sender, SendResult } from '../sending/sender.ts'
import { abandonedAttempt, composeMessage, evaluateAttempt } from './attempt.ts'
import { createClaimQueue } from './claim-queue.ts'
import { type ClaimedDelivery, claimDeliveries, findDueIntegrations } from './claims-store.ts'
import { createHostRates } from './host-rates.ts'
import { createLanes, overlongPauseMs, type Slot } from './lanes.ts'
import { createRecorder, type OnAttempts } from './recorder.ts'

/** Longer than any attempt and its recording take. */
export const leaseSeconds = 45
/** How often all due deliveries are searched: retries, and events whose notice was lost. */
const searchMs = 1_000
/** D625: this process sends too little, if deliveries wait for a free place for so long. */
const behindMs = 60_000
/** Attempts not recorded by then are repeated by another process when their lease ends. */
const stopMs = 20_000

type Deps = {
  db: Database
  clock: Clock
  timers: Timers
  log: Log
  secrets: WebhookSecrets
  writeBody: WriteBody
  sender: Sender
  random: () => number
  /** D198: attempts of one account at one host. */
  perHostSecond: number
  onAttempts?: OnAttempts | undefined
}

export function createDelivering(deps: Deps) {
  const { db, clock, timers, log, secrets, writeBody, sender, random, perHostSecond, onAttempts } = deps
  const lanes = createLanes({ timers, clock })
  const hostRates = createHostRates({ timers, perSecond: perHostSecond })
  const queue = createClaimQueue(lanes)
  const recorder = createRecorder({ db, clock, log, onRecorded, onAttempts })
  const ticks = createOutcomes(timers)
  const idleWaiters: (() => void)[] = []
  let searchedAt = Number.NEGATIVE_INFINITY
  let ticking = 0
  /** Since when webhooks without a backlog wait for a free place in this process. */
  let behindSince: number | undefined
  /** Attempts that wait for the rate of their host. */
  let delayed = 0
  let stopped = false
  let wake = () => {}

  /** These integrations may have due deliveries; `many` stands for a list too long to send. */
  function enqueue(integrationIds: number[] | 'many') {
    if (integrationIds === 'many') searchedAt = Number.NEGATIVE_INFINITY
    else queue.add(integrationIds)
    wake()
  }

  /** Claims as many due deliveries as there is capacity for, and begins to send them. Returns their number. */
  async function tick(): Promise<number> {
    ticking += 1
    try {
      return await ticks.watch(claimAndSend())
    } finally {
      ticking -= 1
      notifyIfIdle()
    }
  }

  async function claimAndSend(): Promise<number> {
    let started = 0
    recorder.flush()
    if (queue.isEmpty() || timers.now() - searchedAt >= searchMs) await searchDue()
    for (let requests = queue.next(); requests.length > 0 && !stopped; requests = queue.next()) {
      const now = clock.now()
      const { claimed, found } = await claimDeliveries(db, requests, now, plusSeconds(now, leaseSeconds))
      for (const request of requests) queue.record(request, found.get(request.integrationId) ?? 0)
      for (const delivery of claimed) start(delivery)
      started += claimed.length
    }
    behindSince = queue.isBehind() ? (behindSince ?? timers.now()) : undefined
    return started
  }

  async function searchDue() {
    searchedAt = timers.now()
    queue.add(await findDueIntegrations(db, clock.now()))
  }

  function start(delivery: ClaimedDelivery) {
    if (!delivery.webhook || delivery.url === null) {
      recorder.add({ record: abandonedAttempt(delivery), failure: null, isPaused: false })
      return
    }
    const { account_id, url } = delivery
    const lane = lanes.of(delivery.integration_id)
    lane.host = hostRates.of(account_id, url)
    const waitMs = hostRates.take(lane.host)
    if (waitMs === 0) return void attempt(delivery, url, lanes.acquire(lane))
    delayed += 1
    timers.after(waitMs, () => {
      delayed -= 1
      void attempt(delivery, url, lanes.acquire(lane))
    })
  }

  async function attempt(delivery: ClaimedDelivery, url: string, slot: Slot) {
    const at = clock.now()
    const result = await send(delivery, url, at)
    const evaluated = evaluateAttempt({ delivery, url, result, at, now: clock.now(), random })
    const isPaused = lanes.release(slot, evaluated.laneResult)
    recorder.add({ record: evaluated.record, failure: evaluated.failure, isPaused })
    if (evaluated.laneResult.overlong) timers.after(overlongPauseMs, () => enqueue([slot.lane.id]))
    if (queue.requeueIfFree(slot.lane) || queue.hasClaimable()) wake()
  }

  async function send(delivery: ClaimedDelivery, url: string, at: Date): Promise<SendResult> {
    try {
      return await sender.send(composeMessage(delivery, { url, secrets, writeBody, at }))
    } catch (error) {
      const { integration_id: integration, event_id: event } = delivery
      log.error({ err: error, integration, event }, 'webhooks: not sent')
      return { status: null, error: 'it could not be sent', response: '', retryAfter: null, ms: 0 }
    }
  }

  /** Released deliveries, and webhooks that were blocked by those just recorded, can be claimed now. */
  function onRecorded(released: number[], recorded: number[]) {
    const unblocked = recorded.filter((id) => queue.unblock(id))
    if (released.length > 0 || unblocked.length > 0) enqueue([...released, ...unblocked])
    notifyIfIdle()
  }

  function notifyIfIdle() {
    if (isIdle()) for (const done of idleWaiters.splice(0)) done()
  }

  function isIdle(): boolean {
    return ticking === 0 && delayed === 0 && lanes.inFlight() === 0 && recorder.isEmpty()
  }

  /** Slow and failing receivers do not count: each delays only its own deliveries. Undefined without the role worker. */
  function health(): Health | undefined {
    const isBehind = behindSince !== undefined && timers.now() - behindSince > behindMs
    return isBehind ? 'failing' : ticks.health()
  }

  /** Resolves when every attempt that began is recorded. */
  async function whenIdle() {
    if (isIdle()) return
    await new Promise<void>((resolve) => idleWaiters.push(resolve))
  }

  return {
    tick,
    enqueue,
    whenIdle,
    health,
    /** Begins no more attempts, and waits for those in flight. */
    async stop() {
      stopped = true
      recorder.flush()
      await new Promise<void>((resolve, reject) => {
        const late = timers.after(stopMs, resolve)
        whenIdle().then(resolve, reject).finally(late.cancel)
      })
      await sender.close()
    },
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
