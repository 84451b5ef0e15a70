/** The integrations of the person: create, and see how each is doing. */
import { useState } from 'react'
import { Link } from 'wouter'
import type { Integration } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { explainFailure } from '../../words/failures.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { settingsOf, useIntegrations } from './integration-data.ts'
import { IntegrationForm } from './integration-form.tsx'
import { integrationWords } from './words.ts'

export default function Integrations() {
  const words = useWords(integrationWords)
  const integrations = useIntegrations()
  const [isCreating, setIsCreating] = useState(false)
  const create = (
    <button type="button" className="button primary" onClick={() => setIsCreating(true)}>
      <Icon name="plus" />
      {words.create}
    </button>
  )
  return (
    <Page title={words.title} about={words.about} actions={create}>
      <div className="card flush">
        <Loaded query={integrations}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="integrations" title={words.empty}>
                <p>{words.emptyAbout}</p>
                {create}
              </Empty>
            ) : (
              <List rows={rows} />
            )
          }
        </Loaded>
      </div>
      {isCreating && <IntegrationForm onClose={() => setIsCreating(false)} />}
    </Page>
  )
}

function List({ rows }: { rows: Integration[] }) {
  const words = useWords(integrationWords)
  const { types: names } = useWords(deliveryWords)
  const common = useWords(commonWords)
  const columns: Column<Integration>[] = [
    {
      name: words.code,
      cell: (row) => (
        <>
          <Link href={`/integrations/${row.id}`}>
            <strong>{row.gateway}</strong>
          </Link>
          <div className="faint small" style={{ overflowWrap: 'anywhere' }}>
            {row.webhook ? settingsOf(row).url : words.withoutWebhook}
          </div>
        </>
      ),
    },
    {
      name: words.events,
      className: 'hide-narrow number',
      cell: (row) => {
        const types = settingsOf(row).types.map((type) => names[type] ?? type)
        return <span title={types.join(', ')}>{words.eventCount(types.length)}</span>
      },
    },
    { name: common.status, className: 'number', cell: (row) => <State integration={row} /> },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

function State({ integration: { webhook, lastError, lastErrorAt } }: { integration: Integration }) {
  const words = useWords(integrationWords)
  const language = useLanguage()
  const format = useFormat()
  if (!webhook) return null
  if (lastError === null) return <span className="badge good">{words.working}</span>
  return (
    <>
      <span className="badge bad">{words.failing}</span>
      <div className="faint small hide-narrow">
        {explainFailure(lastError, language)}
        {lastErrorAt && `, ${format.ago(lastErrorAt)}`}
      </div>
    </>
  )
}
