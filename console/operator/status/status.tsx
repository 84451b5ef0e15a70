/** The status as customers see it at `/status`, and the notices that the operator writes for them (D625, D626). */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorIncident, OperatorStatus } from '../../../src/contract/operator-incidents.ts'
import type { ComponentState, IncidentKind } from '../../../src/contract/status.ts'
import { useFormat } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
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
            <Notices
              title={own.open}
              rows={rows.filter(({ closedAt }) => closedAt === undefined)}
              onUpdate={setUpdating}
            />
            <Notices title={own.closed} rows={rows.filter(({ closedAt }) => closedAt !== undefined)} />
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
      <dl className="facts">
        {components.flatMap(({ name, state }) => [
          <dt key={name}>{own.components[name]}</dt>,
          <dd key={`${name} state`}>
            <span className={`badge ${tones[state]}`}>{own.states[state]}</span>
          </dd>,
        ])}
      </dl>
    </section>
  )
}

type NoticesProps = {
  title: string
  rows: OperatorIncident[]
  /** Absent for those that are closed. */
  onUpdate?: (incident: OperatorIncident) => void
}

function Notices({ title, rows, onUpdate }: NoticesProps) {
  const own = useWords(statusWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const columns: Column<OperatorIncident>[] = [
    {
      name: own.notice,
      cell: ({ kind, title: about, openedAt, startsAt }) => (
        <>
          <strong>{about}</strong>
          <div className="faint small">
            {own.kinds[kind]} · {format.moment(startsAt ?? openedAt)}
          </div>
        </>
      ),
    },
    { name: own.stage, cell: ({ state }) => <span className="badge">{own.stages[state]}</span> },
    {
      name: own.affects,
      cell: ({ components, impact }) => (
        <>
          {components.map((name) => own.components[name]).join(', ')}
          {impact && <div className="faint small">{own.impacts[impact]}</div>}
        </>
      ),
    },
    { name: own.latest, className: 'breaks hide-tight', cell: ({ updates: [latest] }) => latest?.text },
  ]
  const action: Column<OperatorIncident> = {
    name: common.actions,
    hideName: true,
    className: 'narrow',
    cell: (incident) => (
      <button
        type="button"
        className="button small"
        aria-label={own.updateTitle(incident.title)}
        onClick={() => onUpdate?.(incident)}
      >
        {own.update}
      </button>
    ),
  }
  return (
    <section className="card flush">
      <h2 className="card-title">{title}</h2>
      {rows.length > 0 ? (
        <Table
          caption={title}
          columns={onUpdate ? [...columns, action] : columns}
          rows={rows}
          keyOf={({ id }) => id}
        />
      ) : (
        <Empty icon="audit" title={onUpdate ? own.noneOpen : own.noneClosed}>
          {onUpdate && <p>{own.noneOpenAbout}</p>}
        </Empty>
      )}
    </section>
  )
}
