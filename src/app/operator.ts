/** The operator console (D320): what its routes read and change. */
import { createAccountDirectory } from '../accounts/account-directory.ts'
import type { Config } from '../config.ts'
import type { ConsoleState } from '../http/console/console-build.ts'
import type { RateCounters } from '../http/limits/rate-counters.ts'
import { createOperatorAccess } from '../http/operator/console/access.ts'
import { addOperatorConsole } from '../http/operator/console/operator-console.ts'
import type { createServer } from '../http/server/server.ts'
import { createNodes } from '../voice/nodes/nodes.ts'
import type { Services } from './services.ts'

type Deps = {
  config: Config
  services: Services
  rateCounters: RateCounters | undefined
  consoleState: () => ConsoleState
}

export function addOperator(
  server: ReturnType<typeof createServer>,
  { config, services, rateCounters, consoleState }: Deps,
) {
  const { base, money, limits, mail, webhooks, calls, extensions } = services
  const { clock, log, addresses } = base
  addOperatorConsole(server, {
    access: createOperatorAccess({
      token: config.operatorToken,
      operatorPages: config.operatorPages,
      isSecure: addresses.publicUrl().startsWith('https:'),
      clock,
      rateCounters,
    }),
    consoleState,
    clock,
    nodes: createNodes(base),
    accountDirectory: createAccountDirectory(base),
    ledger: money.ledger,
    limits: limits.limits,
    numberAssignments: extensions.numberAssignments,
    currentRates: money.rateImports.current,
    queues: {
      deliveries: webhooks.webhooks.queue,
      mails: mail.outbox.queue,
      recordings: calls.recordingIntake.queue,
      payments: money.reconciliation.queue,
    },
    problemSources: {
      webhooks: webhooks.integrations.failures,
      mails: mail.outbox.failures,
      alerts: limits.alerts.recent,
    },
    loggedProblems: log.recentProblems,
  })
}
