/** The operator console (D320): what its routes read and change. */
import { createAccountDirectory } from '../../accounts/account-directory.ts'
import type { ConsoleState } from '../../http/console/console-build.ts'
import type { OperatorAccess } from '../../http/operator/console/access.ts'
import { addOperatorConsole } from '../../http/operator/console/operator-console.ts'
import type { createServer } from '../../http/server/server.ts'
import type { SessionCookie } from '../../http/server/session-cookie.ts'
import { createNodes } from '../../nodes/nodes.ts'
import { createOperatorCalls } from '../../placing/operator-calls.ts'
import { createOperatorLog } from '../../users/audit/operator-log.ts'
import type { VoiceCommands } from '../../voice/commands.ts'
import type { TrunkTests } from '../../voice/trunks/trunk-tests.ts'
import type { Services } from '../services/services.ts'

type Deps = {
  services: Services
  commands: VoiceCommands
  trunkTests: TrunkTests
  access: OperatorAccess
  consoleState: () => ConsoleState
  sessionCookie: SessionCookie
}

export function addOperator(
  server: ReturnType<typeof createServer>,
  { services, commands, trunkTests, access, consoleState, sessionCookie }: Deps,
) {
  const { base, money, limits, mail, webhooks, calls, extensions, users, accounts } = services
  const { clock, log, addresses } = base
  addOperatorConsole(server, {
    access,
    consoleState,
    publicUrl: addresses.publicUrl,
    clock,
    nodes: createNodes(base),
    accountDirectory: createAccountDirectory(base),
    ledger: money.ledger,
    charges: money.charges,
    adjustments: money.adjustments,
    operatorRefunds: money.operatorRefunds,
    suspensions: services.suspensions,
    operatorCalls: createOperatorCalls({ db: base.db, callsDb: base.callsDb, clock, commands }),
    users: users.users,
    tokens: users.tokens,
    lookIns: users.lookIns,
    operators: users.operators,
    operatorSetUp: users.operatorSetUp,
    cookie: sessionCookie,
    extensions: extensions.extensions,
    callListing: calls.listing,
    sipTraces: calls.sipTraces,
    accounts: accounts.accounts,
    limits: limits.limits,
    numberAssignments: extensions.numberAssignments,
    rateImports: money.rateImports,
    operatorLog: createOperatorLog(base),
    storedTrunks: services.trunks.stored,
    trunkChanges: services.trunks.changes,
    trunkTests,
    usesSandbox: services.trunks.usesSandbox,
    incidents: services.status.incidents,
    status: services.status.status,
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
