/**
 * The sandbox calls back as a real gateway does: an event is posted to our webhook until it is answered 200, in turn
 * for each payment, and given up after as many failures as such gateways have patience.
 */
import { sql } from 'kysely'
import { request } from 'undici'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import type { Log } from '../../kit/log.ts'
import type { Database } from '../../store/database.ts'
import type { PaymentEvent } from '../port.ts'

const hour = 3600
/** Seconds from each failure to the next attempt; then the event is given up. */
const retryAfter = [30, 60, 210, 300, 900, 1500, hour, hour, hour, hour, hour, 2 * hour, 2 * hour, 3 * hour]
/** A claimed event is free for others again after this, in case its taker died. */
const leaseSeconds = 60
const timeoutMs = 10_000
const batchSize = 10
const keptDays = 14
const fixedHeaders = { 'content-type': 'application/json', 'user-agent': 'Ramal-Sandbox/1.0' }

type Headers = Record<string, string>

type Deps = {
  db: Database
  clock: Clock
  log: Log
  webhookUrl: () => string
  /** Headers that prove whose it is. */
  sign: (eventId: string, body: string) => Headers
}

export function createCallbacks({ db, clock, log, webhookUrl, sign }: Deps) {
  /** In the transaction in which it happened. */
  async function announce(tx: Database, paymentId: string, event: PaymentEvent) {
    const now = clock.now()
    const { eventId } = event
    const body = JSON.stringify(event)
    await tx
      .insertInto('sandbox_events')
      .values({ event_id: eventId, payment_id: paymentId, body, created_at: now, next_at: now })
      .execute()
  }

  /** Until nothing more is due. */
  async function tick() {
    for (let due = await claim(); due.length > 0; due = await claim()) await Promise.all(due.map(send))
  }

  async function claim() {
    const now = clock.now()
    return await db
      .updateTable('sandbox_events')
      .set({ next_at: plusSeconds(now, leaseSeconds), attempts: sql`attempts + 1` })
      .where('id', 'in', (events) =>
        events
          .selectFrom('sandbox_events as event')
          .select('id')
          .where('next_at', '<=', now)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('sandbox_events as before')
                  .select('before.id')
                  .whereRef('before.payment_id', '=', 'event.payment_id')
                  .whereRef('before.id', '<', 'event.id')
                  .where('before.next_at', 'is not', null),
              ),
            ),
          )
          .orderBy('id')
          .limit(batchSize)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'event_id', 'body', 'attempts'])
      .execute()
  }

  async function send({ id, event_id, body, attempts }: Awaited<ReturnType<typeof claim>>[number]) {
    const row = db.updateTable('sandbox_events').where('id', '=', id)
    const problem = await post(webhookUrl(), { ...fixedHeaders, ...sign(event_id, body) }, body)
    if (problem === undefined) {
      await row.set({ next_at: null, taken_at: clock.now(), last_error: null }).execute()
      return
    }
    const wait = retryAfter[attempts - 1]
    const nextAt = wait === undefined ? null : plusSeconds(clock.now(), wait)
    log.warn({ event: event_id, attempts, problem, nextAt }, 'sandbox gateway: event not taken')
    await row.set({ next_at: nextAt, last_error: problem.slice(0, 500) }).execute()
  }

  async function sweep() {
    await db
      .deleteFrom('sandbox_events')
      .where('created_at', '<', plusSeconds(clock.now(), -keptDays * 86_400))
      .execute()
  }

  return { announce, tick, sweep }
}

export type Callbacks = ReturnType<typeof createCallbacks>

/** What went wrong, if something did. */
async function post(url: string, headers: Headers, body: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await request(url, { method: 'POST', headers, body, signal })
    await answer.body.dump({ limit: 4096, signal })
    return answer.statusCode === 200 ? undefined : `answered ${answer.statusCode}`
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}
