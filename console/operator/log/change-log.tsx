/** Changes by operators, and their log-ins, with their names (D623, D649), in words (D679). */
import { Link } from 'wouter'
import type { OperatorChange } from '../../../src/contract/operator-log.ts'
import { actionWords } from '../../pages/audit/action-words.ts'
import { Details } from '../../pages/audit/details.tsx'
import { useSubject } from '../../pages/audit/subject.ts'
import { useFormat } from '../../parts/format.ts'
import { SelectField } from '../../parts/forms/field.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, Table } from '../../parts/table.tsx'
import { useWords } from '../../words/language.ts'
import { metaOf, useList } from '../operator-api.ts'
import { usePeople } from '../people/people-list.ts'
import { statusWords } from '../status/words.ts'
import { trunkWords } from '../trunks/words.ts'
import { operatorWords } from '../words.ts'
import { logWords } from './words.ts'

const alarming = ['operator.login-failed', 'operator.password-wrong', 'account.suspended']

export function ChangeLog() {
  const words = useWords(operatorWords)
  const { page: wanted, setPage, read, set } = useFilters()
  const changes = useList<OperatorChange>('log', { operator: read('operator') }, wanted)
  return (
    <Page title={words.log} about={words.logAbout}>
      <div className="card flush">
        <OperatorFilter value={read('operator')} onChange={(operator) => set({ operator })} />
        <Loaded query={changes} lines={12}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="audit" title={read('operator') === '' ? words.noChanges : words.nothingFound} />
            ) : (
              <>
                <Changes rows={page.rows} />
                <Pager meta={metaOf(page)} onPage={setPage} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

function Changes({ rows }: { rows: OperatorChange[] }) {
  const words = useWords(operatorWords)
  const names = { ...useWords(actionWords), ...useWords(logWords).actions, ...words.actionNames }
  const format = useFormat()
  const columns: Column<OperatorChange>[] = [
    { name: words.when, className: 'number', cell: ({ at }) => format.moment(at) },
    { name: words.who, className: 'number', cell: ({ operator }) => <Who operator={operator} /> },
    {
      name: words.change,
      className: 'keep',
      cell: ({ action }) => (
        <strong className={alarming.includes(action) ? 'bad' : undefined}>{names[action]}</strong>
      ),
    },
    { name: words.about, cell: (change) => <About change={change} /> },
    { name: words.details, className: 'breaks', cell: (change) => <Why change={change} /> },
  ]
  return <Table caption={words.log} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

/** The name of an operator who is known, the e-mail of another. */
function Who({ operator }: { operator: string | null }) {
  const words = useWords(operatorWords)
  const people = usePeople()
  if (operator === 'token') return words.token
  if (operator === 'command line') return words.commandLine
  const found = people.data?.rows.find(({ email }) => email === operator)
  return found ? <span title={found.email}>{found.name}</span> : (operator ?? '–')
}

/** The account; else what was changed: a notice by its title, an operator by name, unless they changed their own. */
function About({ change }: { change: OperatorChange }) {
  const subjectOf = useSubject()
  const { action, subject, domain, operator, details } = change
  if (action.startsWith('incident.') && typeof details.title === 'string') return details.title
  if (action.startsWith('operator.')) {
    return subject === operator || subject === null ? null : <Who operator={subject} />
  }
  const named = subject === domain ? null : subjectOf(change)
  return (
    <>
      {domain !== null && <Link href={`/accounts/${domain}`}>{domain}</Link>}
      {named !== null && (domain === null ? named : <div className="small">{named}</div>)}
    </>
  )
}

/** Fields that other columns of the row show already. */
const shownBeside = ['title', 'name']
const usuallyOff = ['replace', 'secondFactor']

const saysNothing = (field: string, value: unknown) =>
  shownBeside.includes(field) ||
  (field.endsWith('Ended') && value === 0) ||
  (usuallyOff.includes(field) && value === false)

const shown = ({ details }: OperatorChange) =>
  Object.fromEntries(Object.entries(details).filter(([field, value]) => !saysNothing(field, value)))

function Why({ change }: { change: OperatorChange }) {
  const { fields, wrong, passwords } = useWords(logWords)
  const { stages, components, impacts } = useWords(statusWords)
  const { sources } = useWords(trunkWords)
  const values = {
    wrong,
    components,
    password: passwords,
    state: stages,
    impact: impacts,
    source: sources,
  }
  return (
    <>
      {change.reason}
      {change.reason !== null && ' '}
      <Details details={shown(change)} more={{ fields, values }} />
    </>
  )
}

type OperatorFilterProps = { value: string; onChange: (operator: string) => void }

/** D669: everybody who may be in the log: the operators, also those that are off, the token, the command line. */
function OperatorFilter({ value, onChange }: OperatorFilterProps) {
  const words = useWords(operatorWords)
  const people = usePeople()
  const named =
    people.data?.rows.map(({ name, email }) => ({ value: email, name: `${name} (${email})` })) ?? []
  return (
    <search className="filters">
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
