/** The log of the account's requests (D619). */
import { type ApiRequests, keptDays } from '../../../accounts/requests/api-requests.ts'
import { requestList } from '../../../accounts/requests/request-list.ts'
import { RequestEntry } from '../../../contract/accounts/requests.ts'
import { listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields } from '../../../filter/selection.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { pageParameters } from '../parameters.ts'

type Deps = { apiRequests: ApiRequests; strictPaging: boolean }

export function requestRoutes({ apiRequests, strictPaging }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/requests',
      tag: 'Account',
      about: 'List the requests of the account, newest first',
      notes: `Those with a valid token, of the last ${keptDays} days. Bodies are never stored.`,
      may: 'requests.read',
      scope: 'admin',
      limit: 'other',
      query: pageParameters(requestList),
      reply: Type.Object({ data: Type.Array(listed(RequestEntry)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER'],
      async run({ caller, query }) {
        const asked = readPagedList(requestList, query, { timeZone: caller.timeZone, strictPaging })
        const { rows, ...page } = await apiRequests.list(caller, asked)
        return {
          data: rows.map((row) => pickFields(asked.fields, present(row))),
          meta: pageMeta(asked, page),
        }
      },
    }),
  ]
}

type Row = Awaited<ReturnType<ApiRequests['list']>>['rows'][number]

function present(row: Row) {
  return {
    id: row.id,
    at: row.at.toISOString(),
    requestId: row.request_id,
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    durationMs: row.duration_ms,
    user: row.user_email,
    userUuid: row.user_uuid,
    tokenRef: row.token_ref,
    kind: row.token_kind,
    address: row.address,
    callId: row.call_id,
  }
}
