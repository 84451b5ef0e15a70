/** The state of the service for its customers (D625, D626), and what this process reports for it. */
import type { Config } from '../../config.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Outcomes } from '../../kit/outcomes.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { createNodes } from '../../nodes/nodes.ts'
import { createIncidents } from '../../status/incidents.ts'
import { createServiceStatus } from '../../status/service-status.ts'
import type { Database } from '../../store/database.ts'
import type { NodeParts } from '../../store/tables.ts'
import type { StoredTrunks } from '../../voice/trunks/stored-trunks.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'

type Deps = {
  config: Config
  base: { db: Database; clock: Clock; timers: Timers; log: Log; outcomes: PartOutcomes }
  trunks: Pick<StoredTrunks, 'hasAny'>
  webhooks: Pick<Webhooks, 'health'>
}

type PartOutcomes = { payments: Outcomes; recordings: Outcomes }

export function createStatusServices({ config, base, trunks, webhooks }: Deps) {
  const { db, clock, timers, log, outcomes } = base
  const incidents = createIncidents({ db, clock })

  function parts(): NodeParts {
    const payments = outcomes.payments.health()
    const recordings = outcomes.recordings.health()
    const deliveries = webhooks.health()
    return {
      ...(payments && { payments }),
      ...(recordings && { recordings }),
      ...(deliveries && { webhooks: deliveries }),
    }
  }

  return {
    incidents,
    status: createServiceStatus({
      clock,
      timers,
      log,
      nodes: createNodes({ db, clock }),
      incidents,
      needsTrunks: () => !config.voice.usesSandbox && trunks.hasAny(),
    }),
    /** Reported with the lease of this process. */
    parts,
  }
}
