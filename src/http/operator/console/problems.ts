/** D322: what went wrong lately, from what the service stores anyway and the log of this process. Pure. */
import type { AlertRule } from '../../../contract/accounts/account-limits.ts'
import type { OperatorProblem } from '../../../contract/operator.ts'
import type { LoggedProblem } from '../../../kit/process/log.ts'
import type { Node } from '../../../nodes/nodes.ts'

type WebhookFailure = { accountId: number; code: string; error: string | null; at: Date | null }
type MailFailure = { recipient: string; error: string | null; at: Date; isGivenUp: boolean }
type RaisedAlert = { accountId: number; rule: AlertRule; at: Date }

/** Each since a moment, the newest first, and not more than so many. */
export type ProblemSources = {
  webhooks: (since: Date, limit: number) => Promise<WebhookFailure[]>
  mails: (since: Date, limit: number) => Promise<MailFailure[]>
  alerts: (since: Date, limit: number) => Promise<RaisedAlert[]>
}

type Found = {
  now: Date
  nodes: Node[]
  webhooks: WebhookFailure[]
  mails: MailFailure[]
  alerts: RaisedAlert[]
  logged: LoggedProblem[]
  domainOf: (accountId: number) => string
}

/** Leases go by the database's clock; prices and recordings by the node's. */
const maxClockOffsetMs = 2_000

/** The newest first; what is wrong now comes before what happened. */
export function listProblems(found: Found): OperatorProblem[] {
  const { webhooks, mails, alerts, logged, domainOf } = found
  const past: OperatorProblem[] = [
    ...webhooks.map(({ accountId, code, error, at }) => ({
      kind: 'webhook' as const,
      at: at?.toISOString() ?? '',
      domain: domainOf(accountId),
      detail: `${code}: ${error ?? ''}`,
    })),
    ...mails.map(({ recipient, error, at, isGivenUp }) => ({
      kind: isGivenUp ? ('mail-given-up' as const) : ('mail' as const),
      at: at.toISOString(),
      recipient,
      detail: error ?? '',
    })),
    ...alerts.map(({ accountId, rule, at }) => ({
      kind: 'alert' as const,
      at: at.toISOString(),
      domain: domainOf(accountId),
      rule,
      detail: '',
    })),
    ...logged.map(({ at, text }) => ({ kind: 'log' as const, at, detail: text })),
  ]
  return [...presentProblems(found), ...past.sort((one, other) => other.at.localeCompare(one.at))]
}

function presentProblems({ now, nodes }: Found): OperatorProblem[] {
  const at = now.toISOString()
  return nodes.flatMap(({ id, host, state, alive, clockOffsetMs, trunks }): OperatorProblem[] => {
    const node = host ?? id
    if (state === 'lost') return [{ kind: 'node-lost', at, node, detail: id }]
    const isOff = alive && Math.abs(clockOffsetMs ?? 0) > maxClockOffsetMs
    return [
      ...(isOff ? [{ kind: 'clock' as const, at, node, detail: `${(clockOffsetMs ?? 0) / 1000} s` }] : []),
      ...trunks.flatMap(({ problems }) =>
        problems.map((detail) => ({ kind: 'trunk' as const, at, node, detail })),
      ),
    ]
  })
}
