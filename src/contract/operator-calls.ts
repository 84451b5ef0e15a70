/** Live calls of all accounts, as the operator sees them (D620). */
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

export const OperatorHangUp = Type.Object({ reason: Reason }, bodyOf('Call'))

export const OperatorHungUp = Type.Object({ id: Type.String({ format: 'uuid' }) }, { $id: 'OperatorHungUp' })
