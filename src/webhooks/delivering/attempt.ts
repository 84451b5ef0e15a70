/** From a claimed delivery to what is sent, and from what came back to what becomes of it (D86). */
import type { WebhookSecrets } from '../../integrations/webhook-secrets.ts'
import { withVersion } from '../payload.ts'
import type { Outcome } from '../sending/sender.ts'
import { signatureHeaders } from '../sending/signature.ts'
import type { AttemptRecord, Claimed, Trouble } from './deliveries-store.ts'
import { nextAttempt, readRetryAfter } from './schedule.ts'

export function messageOf(row: Claimed, url: string, secrets: WebhookSecrets, at: Date) {
  const body = withVersion(row.payload, row.version)
  // The same on every attempt: receivers tell repetitions by it.
  const id = `msg_${row.call_id}_${row.sequence}_${row.integration_id}`
  return { url, body, headers: signatureHeaders({ id, at, body }, secrets.openAll(row, at)) }
}

export type Verdict = {
  record: AttemptRecord
  trouble: Trouble | null
  ok: boolean
  overlong: boolean
  pauseMs: number
}

type Judged = { row: Claimed; url: string; outcome: Outcome; at: Date; now: Date; random: () => number }

export function judge({ row, url, outcome, at, now, random }: Judged): Verdict {
  const { status, ms, response, retryAfter } = outcome
  const ok = status !== null && status >= 200 && status < 300
  const error = ok ? null : (outcome.error ?? describe(status))
  const gone = status === 410
  const nextAt =
    ok || gone || outcome.forbidden
      ? null
      : nextAttempt({ attempts: row.attempts, dueSince: row.due_since, now, retryAfter, random })
  const asksForPause = status === 429 || status === 503
  return {
    ok,
    overlong: outcome.overlong === true,
    pauseMs: asksForPause ? (readRetryAfter(retryAfter, now) ?? 0) * 1000 : 0,
    record: {
      ...keyOf(row),
      state: ok ? 'delivered' : nextAt ? 'pending' : 'dead',
      reason: ok || nextAt ? null : reasonOf(outcome),
      nextAt,
      tried: { at: at.toISOString(), ms, status, error, response },
    },
    trouble: error === null ? null : { integrationId: row.integration_id, url, error, at, gone },
  }
}

/** Its owner turned the webhook off since, or the receiver wished so. */
export function givenUp(row: Claimed): AttemptRecord {
  return { ...keyOf(row), state: 'dead', reason: 'the webhook is off', nextAt: null, tried: null }
}

function keyOf({ integration_id, event_id, next_at }: Claimed) {
  return { integrationId: integration_id, eventId: event_id, lease: next_at }
}

function describe(status: number | null): string {
  const redirects = status !== null && status >= 300 && status < 400
  return `the receiver answered ${status}${redirects ? '; redirects are not followed' : ''}`
}

function reasonOf({ status, forbidden }: Outcome): string {
  if (status === 410) return 'the receiver answered 410: the webhook was turned off'
  return forbidden ? 'the address may not be sent to' : 'no attempt is left'
}
