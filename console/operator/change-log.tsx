/** Changes by operators, and their log-ins, with their names (D623, D649). */
import { Link } from 'wouter'
import type { OperatorChange } from '../../src/contract/operator-log.ts'
import { actionWords } from '../pages/audit/action-words.ts'
import { useFormat } from '../parts/format.ts'
import { useFilters } from '../parts/forms/use-filters.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { useWords } from '../words/language.ts'
import { metaOf, useList } from './operator-api.ts'
import { operatorWords } from './words.ts'

export function ChangeLog() {
  const words = useWords(operatorWords)
  const actions = useWords(actionWords)
  const format = useFormat()
  const { page: wanted, setPage } = useFilters()
  const changes = useList<OperatorChange>('log', '', wanted)
  const names = { ...actions, ...words.actionNames }
  const nameOf = (operator: string | null) => {
    if (operator === 'token') return words.token
    if (operator === 'command line') return words.commandLine
    return operator ?? '–'
  }
  const columns: Column<OperatorChange>[] = [
    { name: words.when, className: 'number', cell: ({ at }) => format.moment(at) },
    { name: words.who, className: 'number', cell: ({ operator }) => nameOf(operator) },
    {
      name: words.change,
      cell: ({ action, subject, domain, details }) => (
        <>
          <strong>{names[action]}</strong>
          {subject !== null && ` ${subject}`}
          {domain !== null && (
            <>
              {' '}
              <Link href={`/accounts/${domain}`}>{domain}</Link>
            </>
          )}
          <div className="faint small">{describe(details)}</div>
        </>
      ),
    },
    { name: words.reason, cell: ({ reason }) => reason ?? '–' },
  ]
  return (
    <Page title={words.log} about={words.logAbout}>
      <div className="card flush">
        <Loaded query={changes}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="audit" title={words.noChanges} />
            ) : (
              <>
                <Table caption={words.log} columns={columns} rows={page.rows} keyOf={({ id }) => id} />
                <Pager meta={metaOf(page)} onPage={setPage} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

const describe = (details: Record<string, unknown>) =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ')
