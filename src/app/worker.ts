/** The worker role: sends mail and webhooks, follows payments, ends orphaned calls, removes what has expired. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pause } from '../calls/list/counts/call-counts.ts'
import { createNumberCallSweep } from '../calls/number-call-sweep.ts'
import type { RateCounters } from '../http/limits/rate-counters.ts'
import { addGatewayWebhook } from '../http/routes/payments.ts'
import type { createServer } from '../http/server/server.ts'
import { createUnclaimedSweep } from '../voice/fleet/unclaimed-sweep.ts'
import { createOrphanSweep, sweepSeconds } from '../voice/nodes/orphans.ts'
import type { Job } from './jobs.ts'
import type { Services } from './services.ts'

const tenMinutes = 600_000

export function createWorker({
  base,
  mail,
  users,
  limits,
  money,
  accounts,
  extensions,
  webhooks,
  calls,
}: Services) {
  const { callsDb, clock, log } = base
  const { outbox } = mail
  const { financial, reconciliation, sandbox } = money
  const orphans = createOrphanSweep({
    db: callsDb,
    clock,
    log,
    announcer: calls.announcer,
    credit: money.credit,
  })
  const unclaimed = createUnclaimedSweep({
    db: callsDb,
    log,
    announcer: calls.announcer,
    credit: money.credit,
  })
  const numberCalls = createNumberCallSweep({ db: base.db, clock, credit: money.credit })
  /** Large accounts are counted, and their old calls removed, in small steps with a pause after each. */
  const withPauses =
    ({ tick }: { tick: (pause: Pause) => Promise<unknown> }) =>
    (isStopping: () => boolean) =>
      tick(async (ms) => {
        await sleep(ms)
        return !isStopping()
      })

  const jobs: Job[] = [
    { name: 'mail', everyMs: 5_000, tick: outbox.tick, onWake: outbox.onWake },
    {
      name: 'requested links',
      everyMs: 2_000,
      tick: users.linkRequests.tick,
      onWake: users.linkRequests.onWake,
    },
    {
      name: 'webhook deliveries',
      everyMs: 1_000,
      tick: webhooks.webhooks.tick,
      onWake: webhooks.webhooks.onWake,
    },
    { name: 'payments', everyMs: 5_000, tick: reconciliation.tick, onWake: reconciliation.onWake },
    { name: 'payment customers', everyMs: 30_000, tick: financial.tick, onWake: financial.onWake },
    { name: 'orphaned calls', everyMs: sweepSeconds * 1000, tick: orphans.tick },
    { name: 'unclaimed calls', everyMs: 1_000, tick: unclaimed.tick },
    { name: 'calls for numbers', everyMs: tenMinutes, tick: numberCalls.tick },
    { name: 'call counts', everyMs: 30_000, tick: withPauses(calls.counts) },
    { name: 'keys of callers', everyMs: 30_000, tick: withPauses(calls.callerValues) },
    { name: 'call figures', everyMs: 30_000, tick: withPauses(calls.figures) },
    { name: 'unusual calls', everyMs: 60_000, tick: limits.watch.tick },
    { name: 'old page ends', everyMs: tenMinutes, tick: calls.listing.sweep },
    { name: 'lost recordings', everyMs: tenMinutes, tick: calls.lostRecordings.tick },
    { name: 'old recordings', everyMs: tenMinutes, tick: calls.recordings.sweep },
    { name: 'old calls', everyMs: tenMinutes, tick: withPauses(calls.retention) },
    { name: 'old mail', everyMs: tenMinutes, tick: outbox.sweep },
    { name: 'old tokens', everyMs: tenMinutes, tick: users.tokens.sweep },
    { name: 'old links', everyMs: tenMinutes, tick: users.links.sweep },
    { name: 'old audit entries', everyMs: tenMinutes, tick: users.audit.sweep },
    { name: 'old attempts', everyMs: tenMinutes, tick: users.attempts.sweep },
    { name: 'unconfirmed sign-ups', everyMs: tenMinutes, tick: accounts.signups.sweep },
    { name: 'old idempotency keys', everyMs: tenMinutes, tick: base.idempotency.sweep },
    { name: 'old webhook events', everyMs: tenMinutes, tick: webhooks.webhooks.sweep },
    { name: 'expired registrations', everyMs: tenMinutes, tick: extensions.extensions.sweepRegistrations },
    { name: 'old set-up links', everyMs: tenMinutes, tick: extensions.setupLinks.sweep },
    { name: 'old gateway events', everyMs: tenMinutes, tick: reconciliation.sweep },
  ]
  if (sandbox) {
    jobs.push(
      { name: 'sandbox payments', everyMs: 5_000, tick: sandbox.tick, onWake: sandbox.onWake },
      { name: 'old sandbox payments', everyMs: tenMinutes, tick: sandbox.sweep },
    )
  }

  /** The sandbox gateway posts its events to the process that runs its jobs, also if that one serves no API. */
  function addTo(server: ReturnType<typeof createServer>, rateCounters: RateCounters | undefined) {
    if (!sandbox) return
    addGatewayWebhook(server, { gateway: sandbox, onEvent: reconciliation.receive, rateCounters, log })
  }
  return { orphans, jobs, addTo }
}
