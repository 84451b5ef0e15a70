/** Changes by operators, and their log-ins (D623, D649). */
import type { AuditAction } from './accounts/audit-actions.ts'
import { Instant, nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const operatorActions = [
  'rates.imported',
  'trunk.added',
  'trunk.changed',
  'trunk.removed',
  'trunk.switched-on',
  'trunk.switched-off',
  'incident.opened',
  'incident.updated',
  'incident.closed',
  'node.drained',
  'node.undrained',
  'operator.added',
  'operator.reset',
  'operator.set-up',
  'operator.switched-on',
  'operator.switched-off',
  'operator.logged-in',
  'operator.logged-out',
  'operator.login-failed',
  'operator.recovery-code-used',
  'operator.password-wrong',
] as const
export type OperatorAction = (typeof operatorActions)[number]

const Change = Type.Object({
  id: Type.Integer({ examples: [12] }),
  at: Instant,
  operator: nullable(
    Type.String({
      description:
        'E-mail of the operator; `token` for the operator token, `command line` for commands; null for changes from before there were names',
      examples: ['rita@operator.example'],
    }),
  ),
  domain: nullable(
    Type.String({ description: 'The account that was changed', examples: ['clinica.ramal.localhost'] }),
  ),
  action: Type.Unsafe<OperatorAction | AuditAction>({
    type: 'string',
    description: `Of an account, as in its audit log; otherwise one of ${operatorActions.join(', ')}`,
    examples: ['rates.imported'],
  }),
  subject: nullable(
    Type.String({ description: 'What was changed, if there are several of the kind', examples: ['main'] }),
  ),
  reason: nullable(Type.String({ examples: ['New price list of the carrier'] })),
  details: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    examples: [{ begun: 12, ended: 12, unchanged: 230, replace: false }],
  }),
})
export type OperatorChange = Static<typeof Change>

export const OperatorLog = Type.Object(
  {
    rows: Type.Array(Change),
    total: Type.Integer({ examples: [1] }),
    page: Type.Integer({ examples: [1] }),
    perPage: Type.Integer({ examples: [25] }),
  },
  { $id: 'OperatorLog' },
)

/** Why something is changed that belongs to no account. */
export const ChangeReason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why; recorded in the log of the operator',
  examples: ['New price list of the carrier'],
})
