/** Changes of the operator that belong to no account (D623). */
import type { OperatorChange } from '../../src/contract/operator-log.ts'
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
  const format = useFormat()
  const { page: wanted, setPage } = useFilters()
  const changes = useList<OperatorChange>('log', '', wanted)
  const columns: Column<OperatorChange>[] = [
    { name: words.when, className: 'number', cell: ({ at }) => format.moment(at) },
    {
      name: words.change,
      cell: ({ action, subject, details }) => (
        <>
          <strong>{words.actionNames[action]}</strong>
          {subject !== null && ` ${subject}`}
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
