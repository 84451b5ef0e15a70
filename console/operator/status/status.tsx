/** The status as customers see it at `/status`, and the notices that the operator writes for them (D625, D626). */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorIncident, OperatorStatus } from '../../../src/contract/operator-incidents.ts'
import type { ComponentState, IncidentKind, IncidentState } from '../../../src/contract/status.ts'
import { useFormat } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, None, Table } from '../../parts/table.tsx'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { NewIncident, statusKey, UpdateIncident } from './incident-form.tsx'
import { statusWords } from './words.ts'

/** As often as nodes report. */
const refreshMs = 5_000

const tones: Record<ComponentState, string> = {
  operational: 'good',
  maintenance: 'accent',
  degraded: 'warn',
  outage: 'bad',
}

const stageTones: Record<IncidentState, string> = {
  investigating: 'bad',
  identified: 'warn',
  monitoring: 'accent',
  resolved: 'good',
  planned: '',
  'in-progress': 'accent',
  done: 'good',
}

export function Status() {
  const words = useWords(operatorWords)
  const own = useWords(statusWords)
  const status = useQuery({
    queryKey: statusKey,
    queryFn: () => operate<OperatorStatus>('GET', '/status'),
    refetchInterval: refreshMs,
  })
  const [opening, setOpening] = useState<IncidentKind>()
  const [updating, setUpdating] = useState<OperatorIncident>()
  const actions = (
    <>
      <button type="button" className="button primary" onClick={() => setOpening('incident')}>
        <Icon name="warning" />
        {own.openIncident}
      </button>
      <button type="button" className="button" onClick={() => setOpening('maintenance')}>
        {own.planMaintenance}
      </button>
    </>
  )
  const about = (
    <>
      {own.about} <a href="/status">{own.publicPage}</a>
    </>
  )
  return (
    <Page title={words.status} about={about} actions={actions}>
      <Loaded query={status}>
        {({ components, rows }) => (
          <div className="stack">
            <Components components={components} />
            <Open rows={rows.filter(isOpen)} onUpdate={setUpdating} />
            <Closed rows={rows.filter((row) => !isOpen(row))} />
          </div>
        )}
      </Loaded>
      {opening && <NewIncident kind={opening} onClose={() => setOpening(undefined)} />}
      {updating && <UpdateIncident incident={updating} onClose={() => setUpdating(undefined)} />}
    </Page>
  )
}

function Components({ components }: Pick<OperatorStatus, 'components'>) {
  const own = useWords(statusWords)
  return (
    <section className="card" aria-labelledby="status-now">
      <h2 id="status-now">{own.now}</h2>
      <ul className="phones">
        {components.map(({ name, state }) => (
          <li key={name}>
            {own.components[name]}
            <span className={`badge ${tones[state]}`}>
              <span className="dot" />
              {own.states[state]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const isOpen = ({ closedAt }: OperatorIncident) => closedAt === undefined

function Open({ rows, onUpdate }: { rows: OperatorIncident[]; onUpdate: (row: OperatorIncident) => void }) {
  const own = useWords(statusWords)
  return (
    <section className="card flush">
      <h2 className="card-title">{own.open}</h2>
      {rows.length === 0 ? (
        <Empty icon="check" title={own.noneOpen}>
          <p>{own.noneOpenAbout}</p>
        </Empty>
      ) : (
        <ul className="notices">
          {rows.map((row) => (
            <li key={row.id}>
              <OpenNotice incident={row} onUpdate={() => onUpdate(row)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type OpenProps = { incident: OperatorIncident; onUpdate: () => void }

function OpenNotice({ incident, onUpdate }: OpenProps) {
  const own = useWords(statusWords)
  const format = useFormat()
  const { kind, title, state, impact, components, startsAt, openedAt, updates } = incident
  const [latest] = updates
  const names = components.map((name) => own.components[name]).join(', ')
  return (
    <>
      <div className="row between">
        <div className="row">
          <h3>{title}</h3>
          <span className={`badge ${stageTones[state]}`}>{own.stages[state]}</span>
        </div>
        <button type="button" className="button small" aria-label={own.updateTitle(title)} onClick={onUpdate}>
          <Icon name="edit" />
          {own.update}
        </button>
      </div>
      <p>{latest?.text}</p>
      <p className="faint small">
        {own.kinds[kind]}: {names}
        {impact && ` (${own.impacts[impact]})`} ·{' '}
        {startsAt ? own.starts(format.moment(startsAt)) : own.openFor(format.ago(openedAt))}
      </p>
    </>
  )
}

function Closed({ rows }: { rows: OperatorIncident[] }) {
  const own = useWords(statusWords)
  const format = useFormat()
  const columns: Column<OperatorIncident>[] = [
    {
      name: own.closedAt,
      className: 'number',
      cell: ({ closedAt, openedAt }) => format.moment(closedAt ?? openedAt),
    },
    { name: own.notice, cell: ({ title }) => <strong>{title}</strong> },
    { name: own.kind, className: 'number hide-narrow', cell: ({ kind }) => own.kinds[kind] },
    {
      name: own.affects,
      cell: ({ components }) => components.map((name) => own.components[name]).join(', '),
    },
    {
      name: own.impact,
      className: 'number',
      cell: ({ impact }) => (impact ? own.impacts[impact] : <None />),
    },
  ]
  return (
    <section className="card flush">
      <h2 className="card-title">{own.closed}</h2>
      {rows.length === 0 ? (
        <Empty icon="check" title={own.noneClosed} />
      ) : (
        <Table caption={own.closed} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
    </section>
  )
}
