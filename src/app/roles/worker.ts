/** The worker role: sends mail and webhooks, follows payments, ends orphaned calls, removes what has expired. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pause } from '../../calls/list/counts/call-counts.ts'
import type { RateCounters } from '../../http/limits/rate-counters.ts'
import { addGatewayWebhook } from '../../http/routes/money/payments.ts'
import type { createServer } from '../../http/server/server.ts'
import { createOrphanSweep, sweepSeconds } from '../../nodes/orphans.ts'
import { createNumberCallSweep } from '../../placing/number-call-sweep.ts'
import { suspensionSweepSeconds } from '../../placing/suspensions.ts'
import { reportTickSeconds } from '../../reports/monthly-reports.ts'
import { createUnclaimedSweep } from '../../voice/fleet/unclaimed-sweep.ts'
import type { ClockWatch } from '../process/clock-watch.ts'
import type { Job } from '../process/jobs.ts'
import type { Services } from '../services/services.ts'

const tenMinutes = 600_000

export function createWorker(services: Services, clockWatch: ClockWatch) {
  const { base, mail, users, limits, money, accounts, extensions, webhooks, calls, suspensions } = services
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

  /** Removes what is old, or will never come, by the clock: not while that is in doubt (D516). */
  const sweeps: [string, Job['tick']][] = [
    ['old calls for numbers', numberCalls.sweep],
    ['old page ends', calls.listing.sweep],
    ['lost recordings', calls.lostRecordings.tick],
    ['old recordings', calls.recordings.sweep],
    ['old calls', withPauses(calls.retention)],
    ['old mail', outbox.sweep],
    ['old tokens', users.tokens.sweep],
    ['old links', users.links.sweep],
    ['old operator sessions', users.operatorSessions.sweep],
    ['old audit entries', users.audit.sweep],
    ['old requests', accounts.apiRequests.sweep],
    ['old SIP messages', calls.sipTraces.sweep],
    ['old attempts', users.attempts.sweep],
    ['unconfirmed sign-ups', accounts.signups.sweep],
    ['old idempotency keys', base.idempotency.sweep],
    ['old webhook events', webhooks.webhooks.sweep],
    ['expired registrations', extensions.extensions.sweepRegistrations],
    ['old set-up links', extensions.setupLinks.sweep],
    ['old gateway events', reconciliation.sweep],
  ]
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
    {
      name: 'calls of suspended accounts',
      everyMs: suspensionSweepSeconds * 1000,
      tick: suspensions.tick,
    },
    { name: 'calls for numbers', everyMs: 60_000, tick: clockWatch.whileAgreeing(numberCalls.endLost) },
    { name: 'call counts', everyMs: 30_000, tick: withPauses(calls.counts) },
    { name: 'keys of earlier calls', everyMs: 30_000, tick: withPauses(calls.missingKeys) },
    { name: 'call figures', everyMs: 30_000, tick: withPauses(calls.figures) },
    { name: 'unusual calls', everyMs: 60_000, tick: limits.watch.tick },
    {
      name: 'monthly reports',
      everyMs: reportTickSeconds * 1000,
      // By a wrong clock it would be another month.
      tick: clockWatch.whileAgreeing(services.reports.monthly.tick),
    },
  ]
  if (services.dailyFiles) {
    jobs.push({ name: 'daily files', everyMs: tenMinutes, tick: services.dailyFiles.tick })
  }
  if (sandbox) {
    jobs.push({ name: 'sandbox payments', everyMs: 5_000, tick: sandbox.tick, onWake: sandbox.onWake })
    sweeps.push(['old sandbox payments', sandbox.sweep])
  }
  for (const [name, sweep] of sweeps) {
    jobs.push({ name, everyMs: tenMinutes, tick: clockWatch.whileAgreeing(sweep) })
  }

  /** The sandbox gateway posts its events to the process that runs its jobs, also if that one serves no API. */
  function addTo(server: ReturnType<typeof createServer>, rateCounters: RateCounters | undefined) {
    if (!sandbox) return
    addGatewayWebhook(server, { gateway: sandbox, onEvent: reconciliation.receive, rateCounters, log })
  }
  return { jobs, addTo }
}
