/** The operator console at `/operator`: its page, and what the page reads and changes by (D321: what commands change). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import { actAs } from '../../../users/audit/acting-operator.ts'
import type { ConsoleState } from '../../console/console-build.ts'
import { operatorPath, sendConsolePage } from '../../console/console-routes.ts'
import { version } from '../../version.ts'
import { nameOf, type OperatorAccess } from './access.ts'
import { type AccountPageDeps, accountPageEntries } from './account-page-routes.ts'
import { type AccountDeps, addAccountRoutes } from './account-routes.ts'
import { type CallDeps, callEntries } from './call-routes.ts'
import { addFleetRoutes, type FleetDeps } from './fleet-routes.ts'
import { type LookInDeps, lookInEntries } from './look-in-routes.ts'
import { type MoneyDeps, moneyEntries } from './money-routes.ts'
import { addNumberRoutes, type NumberDeps } from './number-routes.ts'
import { describeOperatorApi } from './operator-description.ts'
import { addOperatorEntries } from './operator-entry.ts'
import { type PeopleDeps, peopleEntries } from './operators/people-routes.ts'
import { addLoginRoutes, addSessionRoutes, type SessionDeps } from './operators/session-routes.ts'
import { type IncidentDeps, incidentEntries } from './service/incident-routes.ts'
import { type LogDeps, logEntries } from './service/log-routes.ts'
import { type RateDeps, rateEntries } from './service/rate-routes.ts'
import { type SipTraceDeps, sipTraceEntries } from './service/sip-trace-routes.ts'
import { type TrunkDeps, trunkEntries } from './service/trunk-routes.ts'

const dataPath = `${operatorPath}/api`

export type OperatorConsoleDeps = FleetDeps &
  AccountDeps &
  AccountPageDeps &
  CallDeps &
  IncidentDeps &
  LogDeps &
  LookInDeps &
  MoneyDeps &
  NumberDeps &
  PeopleDeps &
  RateDeps &
  SessionDeps &
  SipTraceDeps &
  TrunkDeps & {
    access: OperatorAccess
    /** The console is one build: its page shows the operator's part at this path. */
    consoleState: () => ConsoleState
    publicUrl: () => string
  }

export function addOperatorConsole(server: FastifyInstance, deps: OperatorConsoleDeps) {
  const { access, consoleState, publicUrl } = deps
  const entries = [
    ...accountPageEntries(deps),
    ...lookInEntries(deps),
    ...moneyEntries(deps),
    ...callEntries(deps),
    ...sipTraceEntries(deps),
    ...rateEntries(deps),
    ...trunkEntries(deps),
    ...incidentEntries(deps),
    ...logEntries(deps),
    ...peopleEntries(deps),
  ]

  async function answerPage(request: FastifyRequest, reply: FastifyReply) {
    await access.checkOpen()
    if ((await access.enter(request, reply)) === 'answered') return reply
    if (request.url.startsWith(dataPath)) throw refuse('ROUTE_NOT_FOUND')
    // No file is here: what ends like one is the domain of an account.
    return sendConsolePage(request, reply, consoleState(), '')
  }
  server.get(operatorPath, answerPage)
  server.get(`${operatorPath}/*`, answerPage)

  server.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('Cache-Control', 'no-store')
      })
      addLoginRoutes(scope, deps)
      scope.register((inner, _inner, added) => {
        inner.addHook('onRequest', (request) => access.check(request))
        inner.addHook('preHandler', (request, _reply, next) => {
          actAs(nameOf(access.actorOf(request)), next)
        })
        addSessionRoutes(inner, deps)
        addFleetRoutes(inner, deps)
        addAccountRoutes(inner, deps)
        addNumberRoutes(inner, deps)
        addOperatorEntries(inner, entries, access.actorOf)
        inner.get('/openapi.json', async () =>
          describeOperatorApi(entries, {
            version,
            serverUrl: `${publicUrl()}${dataPath}`,
            docsUrl: `${publicUrl()}/docs/`,
          }),
        )
        added()
      })
      done()
    },
    { prefix: dataPath },
  )
}
