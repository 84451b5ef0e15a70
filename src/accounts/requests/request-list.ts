/** The list of an account's requests, newest first: the fields by which it can be filtered. */
import { defineList } from '../../filter/list.ts'

export const requestList = defineList({
  fields: {
    id: { kind: 'integer', column: 'api_requests.id' },
    at: { kind: 'instant', column: 'api_requests.at' },
    requestId: { kind: 'text', column: 'api_requests.request_id' },
    method: { kind: 'text', column: 'api_requests.method' },
    route: { kind: 'text', column: 'api_requests.route' },
    status: { kind: 'integer', column: 'api_requests.status' },
    code: { kind: 'text', column: 'api_requests.code', nullable: true },
    user: { kind: 'text', column: 'api_requests.user_email', lowercase: true },
    tokenRef: { kind: 'uuid', column: 'api_requests.token_ref' },
    kind: { kind: 'choice', choices: ['token', 'session'], column: 'api_requests.token_kind' },
    address: { kind: 'text', column: 'api_requests.address' },
    callId: { kind: 'uuid', column: 'api_requests.call_id', nullable: true },
  },
  shows: [
    'id',
    'at',
    'requestId',
    'method',
    'route',
    'status',
    'code',
    'durationMs',
    'user',
    'userUuid',
    'tokenRef',
    'kind',
    'address',
    'callId',
  ],
  order: 'at DESC',
  id: 'api_requests.id',
  example: { where: { status: { gte: 400 } }, limit: 20 },
})
