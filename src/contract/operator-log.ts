/** Changes of the operator that belong to no account (D623). */
import { Instant, nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const operatorActions = [
  'rates.imported',
  'trunk.added',
  'trunk.removed',
  'trunk.switched-on',
  'trunk.switched-off',
  'incident.opened',
  'incident.updated',
  'incident.closed',
] as const
export type OperatorAction = (typeof operatorActions)[number]

const Change = Type.Object({
  id: Type.Integer({ examples: [12] }),
  at: Instant,
  action: Type.Enum([...operatorActions]),
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
