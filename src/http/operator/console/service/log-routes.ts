/** Changes by operators, and their log-ins (D623, D649, D669). */
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
      about: 'List what operators changed, and their log-ins, newest first',
      query: {
        page: { about: 'Which page, from 1', example: 1 },
        operator: {
          about: 'Only of this one: an e-mail, `token` or `command line`',
          example: 'rita@operator.example',
        },
      },
      reply: LogPage,
      async run({ query }) {
        const { page, offset } = readPagingOf(query)
        const operator = query.operator?.trim().toLowerCase() || undefined
        const { rows, total } = await operatorLog.list({ operator, limit: perPage, offset })
        return { rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })), total, page, perPage }
      },
    }),
  ]
}
