/** One attempt: the message composed from a claimed delivery, and what the result of sending it means (D86: retries). */
import type { WebhookFailure } from '../../integrations/failures-store.ts'
import type { WebhookSecrets } from '../../integrations/webhook-secrets.ts'
import type { WriteBody } from '../payload.ts'
import type { Message, SendResult } from '../sending/sender.ts'
import type { AttemptRecord, ClaimedDelivery } from './claims-store.ts'
import type { LaneResult } from './lanes.ts'
import { nextAttempt, readRetryAfter } from './schedule.ts'

type Composing = { url: string; secrets: WebhookSecrets; writeBody: WriteBody; at: Date }

export function composeMessage(
  delivery: ClaimedDelivery,
  { url, secrets, writeBody, at }: Composing,
): Message {
  return {
    // The same on every attempt: receivers recognise duplicates by it.
    id: `msg_${delivery.call_id}_${delivery.sequence}_${delivery.integration_id}`,
    at,
    url,
    body: writeBody(delivery.payload, delivery.version),
    secrets: secrets.openAll(delivery, at),
    ...(delivery.url_login && { login: secrets.openLogin(delivery.url_login) }),
  }
}

type Attempt = {
  delivery: ClaimedDelivery
  url: string
  result: SendResult
  at: Date
  now: Date
  random: () => number
}

type EvaluatedAttempt = { record: AttemptRecord; failure: WebhookFailure | null; laneResult: LaneResult }

export function evaluateAttempt({ delivery, url, result, at, now, random }: Attempt): EvaluatedAttempt {
  const { status, ms, response, retryAfter } = result
  const ok = status !== null && status >= 200 && status < 300
  const error = ok ? null : (result.error ?? describe(status))
  const isGone = status === 410
  const nextAt =
    ok || isGone || result.forbidden
      ? null
      : nextAttempt({
          attempts: delivery.attempts,
          dueSince: delivery.due_since,
          now,
          retryAfter,
          random,
        })
  const asksForPause = status === 429 || status === 503
  return {
    record: {
      ...keyOf(delivery),
      state: ok ? 'delivered' : nextAt ? 'pending' : 'dead',
      reason: ok || nextAt ? null : reasonOf(result),
      nextAt,
      tried: { at: at.toISOString(), ms, status, error, response },
    },
    failure: error === null ? null : { integrationId: delivery.integration_id, url, error, at, isGone },
    laneResult: {
      ok,
      overlong: result.overlong === true,
      pauseMs: asksForPause ? (readRetryAfter(retryAfter, now) ?? 0) * 1000 : 0,
    },
  }
}

/** Nothing is sent: the webhook was turned off, by its owner or by an answer of 410. */
export function abandonedAttempt(delivery: ClaimedDelivery): AttemptRecord {
  return {
    ...keyOf(delivery),
    state: 'dead',
    reason: 'the webhook is off',
    nextAt: null,
    tried: null,
  }
}

function keyOf({ integration_id, event_id, next_at }: ClaimedDelivery) {
  return { integrationId: integration_id, eventId: event_id, lease: next_at }
}

function describe(status: number | null): string {
  const isRedirect = status !== null && status >= 300 && status < 400
  return `the receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}`
}

function reasonOf({ status, forbidden }: SendResult): string {
  if (status === 410) return 'the receiver answered 410: the webhook was turned off'
  return forbidden ? 'the address may not be sent to' : 'no attempt is left'
}
