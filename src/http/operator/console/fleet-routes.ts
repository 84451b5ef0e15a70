/** Nodes with their trunks, queues, and what went wrong lately (D321). */
import type { FastifyInstance } from 'fastify'
import type { AccountDirectory } from '../../../accounts/account-directory.ts'
import { refuse } from '../../../contract/errors.ts'
import {
  OperatorDrain,
  type OperatorNode,
  type OperatorOverview,
  type OperatorQueue,
  type QueueName,
} from '../../../contract/operator.ts'
import type { Static } from '../../../contract/schema/type.ts'
import { type Clock, plusSeconds } from '../../../kit/clock.ts'
import type { LoggedProblem } from '../../../kit/process/log.ts'
import type { Node, Nodes } from '../../../nodes/nodes.ts'
import type { QueueState } from '../../../store/queue-state.ts'
import { listProblems, type ProblemSources } from './problems.ts'

export type FleetDeps = {
  clock: Clock
  nodes: Nodes
  accountDirectory: AccountDirectory
  queues: Record<QueueName, () => Promise<QueueState>>
  problemSources: ProblemSources
  /** Problems that this process logged. */
  loggedProblems: () => LoggedProblem[]
}

/** Problems of a day. */
const recentSeconds = 86_400
const maxOfKind = 20

export function addFleetRoutes(scope: FastifyInstance, deps: FleetDeps) {
  const { clock, nodes, accountDirectory, queues, problemSources, loggedProblems } = deps

  scope.get('/overview', async (): Promise<OperatorOverview> => {
    const since = plusSeconds(clock.now(), -recentSeconds)
    const [found, states, webhooks, mails, alerts] = await Promise.all([
      nodes.list(),
      Promise.all(Object.entries(queues).map(readQueue)),
      problemSources.webhooks(since, maxOfKind),
      problemSources.mails(since, maxOfKind),
      problemSources.alerts(since, maxOfKind),
    ])
    const domains = await accountDirectory.domainsOf(
      [...webhooks, ...alerts].map(({ accountId }) => accountId),
    )
    const shown = found.filter(({ state }) => state !== 'stopped')
    const problems = listProblems({
      now: clock.now(),
      nodes: shown,
      webhooks,
      mails,
      alerts,
      logged: loggedProblems(),
      domainOf: (accountId) => domains.get(accountId) ?? '',
    })
    return { nodes: shown.map(presentNode), queues: states, problems }
  })

  scope.post<{ Params: { id: string }; Body: Static<typeof OperatorDrain> }>(
    '/nodes/:id/drain',
    { schema: { body: OperatorDrain } },
    async ({ params: { id }, body: { draining } }) => {
      if (!(await nodes.drain(id, draining))) throw refuse('ROUTE_NOT_FOUND', { message: noNode })
      return { draining }
    },
  )
}

const noNode = {
  en: 'This node has stopped meanwhile.',
  pt: 'Este nó parou nesse meio-tempo.',
}

async function readQueue([name, read]: [string, () => Promise<QueueState>]): Promise<OperatorQueue> {
  const { waiting, oldest } = await read()
  return { name: name as QueueName, waiting, oldest: oldest?.toISOString() ?? null }
}

function presentNode({ clockOffsetMs, startedAt, alive, trunks, parts: _, ...node }: Node): OperatorNode {
  return {
    ...node,
    clockOffsetSeconds: clockOffsetMs === null ? null : clockOffsetMs / 1000,
    startedAt: startedAt.toISOString(),
    // Unknown for a node that is gone.
    trunks: alive ? trunks : [],
  }
}
