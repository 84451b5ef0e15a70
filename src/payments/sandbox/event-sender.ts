/**
 * Sends the sandbox's events as a real gateway does: each is posted to our webhook until it is answered 200, in order
 * for each payment, and given up after the last retry.
 */
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Database } from '../../store/database.ts'
import type { PaymentEvent } from '../port.ts'
import {
  claimEvents,
  type DueEvent,
  deleteEventsBefore,
  insertEvent,
  recordDelivered,
  recordFailure,
} from './events-store.ts'

const hour = 3600
/** Seconds from each failure to the next attempt; then the event is given up. */
const retryAfter = [30, 60, 210, 300, 900, 1500, hour, hour, hour, hour, hour, 2 * hour, 2 * hour, 3 * hour]
/** A claimed event may be claimed again after this time, in case the process died. */
const leaseSeconds = 60
const batchSize = 10
const retentionSeconds = 14 * 86_400
const fixedHeaders = { 'content-type': 'application/json', 'user-agent': 'Ramal-Sandbox/1.0' }

type Headers = Record<string, string>

type Deps = {
  db: Database
  clock: Clock
  log: Log
  /** Returns the problem, or undefined if the event was accepted. */
  post: (headers: Headers, body: string) => Promise<string | undefined>
  /** Returns the headers with the signature. */
  sign: (eventId: string, body: string) => Headers
}

export function createEventSender({ db, clock, log, post, sign }: Deps) {
  /** Runs in the transaction that moves the payment. */
  async function announce(tx: Database, paymentId: string, event: PaymentEvent) {
    await insertEvent(tx, paymentId, event, clock.now())
  }

  /** Sends until no event is due. */
  async function tick() {
    for (let due = await claim(); due.length > 0; due = await claim()) await Promise.all(due.map(send))
  }

  async function claim(): Promise<DueEvent[]> {
    const now = clock.now()
    return await claimEvents(db, now, plusSeconds(now, leaseSeconds), batchSize)
  }

  async function send({ id, event_id, body, attempts }: DueEvent) {
    const problem = await post({ ...fixedHeaders, ...sign(event_id, body) }, body)
    if (problem === undefined) {
      await recordDelivered(db, id, clock.now())
      return
    }
    const wait = retryAfter[attempts - 1]
    const nextAt = wait === undefined ? null : plusSeconds(clock.now(), wait)
    log.warn({ event: event_id, attempts, problem, nextAt }, 'sandbox gateway: event not delivered')
    await recordFailure(db, id, problem.slice(0, 500), nextAt)
  }

  async function sweep() {
    await deleteEventsBefore(db, plusSeconds(clock.now(), -retentionSeconds))
  }

  return { announce, tick, sweep }
}

export type EventSender = ReturnType<typeof createEventSender>
