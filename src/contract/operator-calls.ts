/** Calls of all accounts, as the operator sees them (D620, D660). */

import { shownStatuses } from './calls/call-record.ts'
import { Reason } from './operator-account.ts'
import { bodyOf } from './schema/body.ts'
import { Instant, nullable } from './schema/common.ts'
import { type Static, Type } from './schema/type.ts'

const text = (example: string) => Type.String({ examples: [example] })

const LiveCall = Type.Object({
  id: Type.String({ format: 'uuid' }),
  domain: text('clinica.ramal.localhost'),
  type: Type.Enum(['outbound', 'inbound', 'internal']),
  status: Type.Enum(['queued', 'ringing', 'answered']),
  from: text('1000'),
  to: text('5548999998888'),
  startedAt: Instant,
  answeredAt: nullable(Instant),
  node: Type.String({ description: 'The process that has it', examples: ['0193a2f4'] }),
})
export type OperatorLiveCall = Static<typeof LiveCall>

export const OperatorLiveCalls = Type.Object(
  {
    rows: Type.Array(LiveCall),
    total: Type.Integer({ examples: [1] }),
    page: Type.Integer({ examples: [1] }),
    perPage: Type.Integer({ examples: [25] }),
  },
  { $id: 'OperatorLiveCalls' },
)

/** A call of any account, live or over (D660). */
export const OperatorCall = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] }),
    domain: text('clinica.ramal.localhost'),
    type: Type.Enum(['outbound', 'inbound', 'internal']),
    status: Type.Enum(shownStatuses, { examples: ['completed'] }),
    from: text('1000'),
    to: text('5548999998888'),
    startedAt: Instant,
    endedAt: nullable(Instant),
  },
  { $id: 'OperatorCall' },
)
export type OperatorCall = Static<typeof OperatorCall>

export const OperatorHangUp = Type.Object({ reason: Reason }, bodyOf('Call'))

export const OperatorHungUp = Type.Object({ id: Type.String({ format: 'uuid' }) }, { $id: 'OperatorHungUp' })
