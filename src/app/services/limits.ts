/** The limits of accounts, the alerts about them, and the search for what is unusual. */
import type { Config } from '../../config.ts'
import type { Clock } from '../../kit/clock.ts'
import { createAlerts } from '../../limits/alerts/alerts.ts'
import { createCallGuard } from '../../limits/call-guard.ts'
import { createLimits } from '../../limits/limits.ts'
import { createWatch } from '../../limits/watch/watch.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'

type Deps = {
  config: Config
  base: { db: Database; clock: Clock; notices: Notices; onError: (error: unknown) => void }
  outbox: Outbox
}

export function createLimitServices({ config, base: { db, clock, notices, onError }, outbox }: Deps) {
  const limits = createLimits({ db, clock, notices, defaults: config.accountLimits })
  const alerts = createAlerts({ db, clock, outbox, onError })
  return {
    limits,
    alerts,
    guard: createCallGuard({ limits, alerts }),
    watch: createWatch({ db, clock, alerts }),
  }
}
export type LimitServices = ReturnType<typeof createLimitServices>
