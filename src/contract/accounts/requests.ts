/** A request of the account as its log shows it: our addition to the contract (D619). */
import { Instant, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

export const RequestEntry = Type.Object(
  {
    id: Type.Integer({ examples: [90_210] }),
    at: Instant,
    requestId: Type.String({
      description: 'X-Request-Id of the answer',
      examples: ['7f9c24e8-3b12-4f6a-9c1d-00000000002a'],
    }),
    method: Type.String({ examples: ['POST'] }),
    route: Type.String({ examples: ['/calls/{id}/hangup'] }),
    status: Type.Integer({ examples: [404] }),
    code: nullable(Type.String({ examples: ['CALL_NOT_FOUND'] })),
    durationMs: Type.Number({ examples: [12.4] }),
    user: Type.String({ examples: ['ana@aurora.example'] }),
    userUuid: Type.String({ format: 'uuid' }),
    tokenRef: Type.String({ format: 'uuid' }),
    kind: Type.Enum(['token', 'session']),
    address: Type.String({ examples: ['203.0.113.7'] }),
    callId: nullable(
      Type.String({ format: 'uuid', description: 'The call that was placed, or that the request was about' }),
    ),
  },
  { $id: 'RequestEntry' },
)
