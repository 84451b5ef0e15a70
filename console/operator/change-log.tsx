/** Changes by operators, and their log-ins, with their names (D623, D649). */
import { Link } from 'wouter'
import type { OperatorChange } from '../../src/contract/operator-log.ts'
import { actionWords } from '../pages/audit/action-words.ts'
import { useFormat } from '../parts/format.ts'
import { SelectField } from '../parts/forms/field.tsx'
import { useFilters } from '../parts/forms/use-filters.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { useWords } from '../words/language.ts'
import { metaOf, useList } from './operator-api.ts'
import { usePeople } from './people/people-list.ts'
import { operatorWords } from './words.ts'

export function ChangeLog() {
  const words = useWords(operatorWords)
  const actions = useWords(actionWords)
  const format = useFormat()
  const { page: wanted, setPage, read, set } = useFilters()
  const changes = useList<OperatorChange>('log', { operator: read('operator') }, wanted)
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
        <WhoFilter value={read('operator')} onChange={(operator) => set({ operator })} />
        <Loaded query={changes}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="audit" title={read('operator') === '' ? words.noChanges : words.nothingFound} />
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

type WhoFilterProps = { value: string; onChange: (operator: string) => void }

/** D669: everybody who may be in the log: the operators, also those that are off, the token, the command line. */
function WhoFilter({ value, onChange }: WhoFilterProps) {
  const words = useWords(operatorWords)
  const people = usePeople()
  const named =
    people.data?.rows.map(({ name, email }) => ({ value: email, name: `${name} (${email})` })) ?? []
  return (
    <search className="search-row">
      <SelectField
        label={words.who}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        choices={[
          { value: '', name: words.everybody },
          ...named,
          { value: 'token', name: words.token },
          { value: 'command line', name: words.commandLine },
        ]}
      />
    </search>
  )
}

const describe = (details: Record<string, unknown>) =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ')
