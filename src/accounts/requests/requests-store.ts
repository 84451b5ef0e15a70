/** SQL of the requests of accounts. */
import { sql } from 'kysely'
import type { TokenKind } from '../../contract/accounts/users.ts'
import type { PagedQuery } from '../../filter/list-query.ts'
import { readPage } from '../../filter/sql/page-sql.ts'
import type { Database } from '../../store/database.ts'
import { defineUnnest } from '../../store/unnest.ts'

export type ApiRequest = {
  accountId: number
  at: Date
  requestId: string
  method: string
  route: string
  status: number
  code: string | undefined
  durationMs: number
  userUuid: string
  userEmail: string
  tokenRef: string
  tokenKind: TokenKind
  address: string
  callId: string | undefined
}

const added = defineUnnest<ApiRequest>('request', {
  account_id: ['bigint', ({ accountId }) => accountId],
  at: ['timestamptz', ({ at }) => at.toISOString()],
  request_id: ['text', ({ requestId }) => requestId],
  method: ['text', ({ method }) => method],
  route: ['text', ({ route }) => route],
  status: ['int', ({ status }) => status],
  code: ['text', ({ code }) => code ?? null],
  duration_ms: ['double precision', ({ durationMs }) => durationMs],
  user_uuid: ['uuid', ({ userUuid }) => userUuid],
  user_email: ['text', ({ userEmail }) => userEmail],
  token_ref: ['uuid', ({ tokenRef }) => tokenRef],
  token_kind: ['text', ({ tokenKind }) => tokenKind],
  address: ['text', ({ address }) => address],
  call_id: ['uuid', ({ callId }) => callId ?? null],
})

/** In one statement. */
export async function insertRequests(db: Database, requests: readonly ApiRequest[]) {
  const columns = sql.raw(added.names.join(', '))
  await sql`insert into api_requests (${columns}) select * from ${added.sql(requests)}`.execute(db)
}

export async function readRequests(db: Database, accountId: number, query: PagedQuery) {
  const requests = db
    .selectFrom('api_requests')
    .select(['id', 'at', 'request_id', 'method', 'route', 'status', 'code', 'duration_ms'])
    .select(['user_email', 'user_uuid', 'token_ref', 'token_kind', 'address', 'call_id'])
    .where('api_requests.account_id', '=', accountId)
  return await readPage(requests, query)
}
