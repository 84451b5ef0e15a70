/**
 * Sends what is due: claim, commit, post, record. Neither claiming nor recording waits for a receiver, so that each
 * is delayed by nobody but itself. Whatever dies half way is sent again when its lease ends, under the same id.
 */

import type { WebhookSecrets } from '../../integrations/webhook-secrets.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import type { Outcome, Sender } from '../sending/sender.ts'
import { givenUp, judge, messageOf, type Verdict } from './attempt.ts'
import { createClaimQueue } from './claim-queue.ts'
import { type Claimed, claim, findDueIntegrations } from './deliveries-store.ts'
import { createLanes, overlongPauseMs, type Slot } from './lanes.ts'
import { createRecorder } from './recorder.ts'

/** Longer than any attempt and its recording take. */
export const leaseSeconds = 45
/** How often everything is looked through for what nobody told of: retries, and events whose teller died. */
const lookMs = 1_000

/** What is not recorded by then is sent again by others, when its lease ends. */
const stopMs = 20_000

type Deps = {
  db: Database
  clock: Clock
  timers: Timers
  log: Log
  secrets: WebhookSecrets
  sender: Sender
  random: () => number
}

export function createDelivering({ db, clock, timers, log, secrets, sender, random }: Deps) {
  const lanes = createLanes({ timers, clock })
  const queue = createClaimQueue(lanes)
  const recorder = createRecorder({ db, clock, log, onRecorded: heed })
  const settling: (() => void)[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  let ticking = 0
  let stopped = false
  let wake = () => {}

  /** These have something to send, or may have; `many` are too many to say. */
  function hear(integrations: number[] | 'many') {
    if (integrations === 'many') lookedAt = Number.NEGATIVE_INFINITY
    else queue.add(integrations)
    wake()
  }

  /** Claims what is due and there is room for, and begins to send it. Answers how many that was. */
  async function tick(): Promise<number> {
    ticking += 1
    try {
      return await claimDue()
    } finally {
      ticking -= 1
      settle()
    }
  }

  async function claimDue(): Promise<number> {
    let begun = 0
    recorder.nudge()
    if (queue.isEmpty() || timers.now() - lookedAt >= lookMs) await look()
    for (let requests = queue.next(); requests.length > 0 && !stopped; requests = queue.next()) {
      const now = clock.now()
      const { claimed, found } = await claim(db, requests, now, plusSeconds(now, leaseSeconds))
      for (const request of requests) queue.record(request, found.get(request.integrationId) ?? 0)
      for (const row of claimed) begin(row)
      begun += claimed.length
    }
    return begun
  }

  async function look() {
    lookedAt = timers.now()
    queue.add(await findDueIntegrations(db, clock.now()))
  }

  function begin(row: Claimed) {
    if (!row.webhook || row.url === null) {
      recorder.add({ record: givenUp(row), trouble: null, resting: false })
      return
    }
    const slot = lanes.acquire(lanes.of(row.integration_id))
    void attempt(row, row.url, slot)
  }

  async function attempt(row: Claimed, url: string, slot: Slot) {
    const at = clock.now()
    const outcome = await post(row, url, at)
    land(slot, judge({ row, url, outcome, at, now: clock.now(), random }))
  }

  async function post(row: Claimed, url: string, at: Date): Promise<Outcome> {
    try {
      return await sender.send(messageOf(row, url, secrets, at))
    } catch (error) {
      log.error({ err: error, integration: row.integration_id, event: row.event_id }, 'webhooks: not sent')
      return { status: null, error: 'it could not be sent', response: '', retryAfter: null, ms: 0 }
    }
  }

  function land(slot: Slot, { record, trouble, ...result }: Verdict) {
    const resting = lanes.release(slot, result)
    recorder.add({ record, trouble, resting })
    if (result.overlong) timers.after(overlongPauseMs, () => hear([slot.lane.id]))
    if (queue.requeueIfFree(slot.lane) || queue.hasClaimable()) wake()
  }

  /** After what was recorded: who waited for it may go. */
  function heed(released: number[], recorded: number[]) {
    const waiting = recorded.filter((id) => queue.unblock(id))
    if (released.length > 0 || waiting.length > 0) hear([...released, ...waiting])
    settle()
  }

  function settle() {
    if (isSettled()) for (const done of settling.splice(0)) done()
  }

  function isSettled(): boolean {
    return ticking === 0 && lanes.inFlight() === 0 && recorder.isEmpty()
  }

  /** Everything that was begun has its outcome recorded. */
  async function settled() {
    if (isSettled()) return
    await new Promise<void>((resolve) => settling.push(resolve))
  }

  return {
    tick,
    hear,
    settled,
    /** Nothing more is begun; what is under way is brought to its end. */
    async stop() {
      stopped = true
      recorder.nudge()
      await new Promise<void>((resolve, reject) => {
        const late = timers.after(stopMs, resolve)
        settled().then(resolve, reject).finally(late.cancel)
      })
      await sender.close()
    },
    onWake(callback: () => void) {
      wake = callback
    },
  }
}
