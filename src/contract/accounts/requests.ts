/** A request of the account as its log shows it: our addition to the contract (D619). */
import { Instant, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

export const RequestEntry = Type.Object(
  {
    id: Type.Integer({ examples: [90_210] }),
    at: Instant,
    requestId: Type.String({
      description: 'As in X-Request-Id of the answer',
      examples: ['7f9c24e8-3b12-4f6a-9c1d-00000000002a'],
    }),
    method: Type.String({ examples: ['POST'] }),
    route: Type.String({
      description: 'The path with names in place of ids, and without its query',
      examples: ['/calls/{id}/hangup'],
    }),
    status: Type.Integer({ examples: [404] }),
    code: nullable(Type.String({ description: 'Of an error', examples: ['CALL_NOT_FOUND'] })),
    durationMs: Type.Number({ description: 'Milliseconds until the answer was sent', examples: [12.4] }),
    user: Type.String({
      description: 'E-mail of the user whose token it carried, as it was then',
      examples: ['ana@aurora.example'],
    }),
    userUuid: Type.String({ format: 'uuid' }),
    tokenRef: Type.String({
      format: 'uuid',
      description: 'The token, as `GET /users/accessTokens` names it',
    }),
    kind: Type.Enum(['token', 'session'], {
      description: 'session: a page of the console sent it',
      examples: ['token'],
    }),
    address: Type.String({ examples: ['203.0.113.7'] }),
  },
  { $id: 'RequestEntry' },
)
