/** Changes of the operator that belong to no account (D623). */
import { OperatorLog as LogPage } from '../../../../contract/operator-log.ts'
import type { OperatorLog } from '../../../../users/audit/operator-log.ts'
import { type AnyOperatorEntry, operatorEntry } from '../operator-entry.ts'
import { perPage, readPagingOf } from '../paging.ts'

export type LogDeps = { operatorLog: OperatorLog }

export function logEntries({ operatorLog }: LogDeps): AnyOperatorEntry[] {
  return [
    operatorEntry({
      method: 'GET',
      path: '/log',
      about: 'List what was changed that belongs to no account, newest first',
      query: { page: { about: 'Which page, from 1', example: 1 } },
      reply: LogPage,
      async run({ query }) {
        const { page, offset } = readPagingOf(query)
        const { rows, total } = await operatorLog.list({ limit: perPage, offset })
        return { rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })), total, page, perPage }
      },
    }),
  ]
}
