/** One integration: its settings, its secret and its deliveries. */
import { memo, useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { request } from '../../api.ts'
import type { Delivery, Integration } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { SelectField } from '../../parts/forms/field.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { DeliveryDialog, deliveriesKey } from '../../parts/records/delivery.tsx'
import { DeliveryState } from '../../parts/records/delivery-state.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { explainFailure } from '../../words/failures.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { DeliveryChart, DeliveryFigures } from './delivery-chart.tsx'
import { integrationsKey, settingsOf, useDeliveries, useIntegration } from './integration-data.ts'
import { IntegrationForm } from './integration-form.tsx'
import { Recovery } from './recovery.tsx'
import { Replay } from './replay.tsx'
import { Secret } from './secret.tsx'
import { integrationWords } from './words.ts'

export default function OneIntegration() {
  const { id = '' } = useParams()
  const integration = useIntegration(id)
  const words = useWords(integrationWords)
  if (!integration.data)
    return (
      <Page title={words.title}>
        <Loaded query={integration}>{() => null}</Loaded>
      </Page>
    )
  return <Found integration={integration.data} />
}

function Found({ integration }: { integration: Integration }) {
  const words = useWords(integrationWords)
  const common = useWords(commonWords)
  const [open, setOpen] = useState<'form' | 'remove'>()
  const path = { id: String(integration.id) }
  const test = useAction({
    run: () => request('POST', '/integrations/{id}/test', { path }),
    refresh: [deliveriesKey],
    done: words.tested,
  })
  const close = () => setOpen(undefined)
  return (
    <Page
      title={integration.gateway}
      about={
        <>
          <Link href="/integrations">← {words.title}</Link> · {settingsOf(integration).url}
        </>
      }
      actions={
        <>
          <button
            type="button"
            className="button"
            disabled={!integration.webhook || test.isPending}
            onClick={() => test.mutate()}
          >
            <Icon name="play" />
            {words.test}
          </button>
          <button type="button" className="button" onClick={() => setOpen('form')}>
            <Icon name="edit" />
            {common.edit}
          </button>
          <button type="button" className="button danger" onClick={() => setOpen('remove')}>
            <Icon name="trash" />
            {common.remove}
          </button>
        </>
      }
    >
      <div className="stack">
        <Health integration={integration} />
        <DeliveryFigures id={path.id} />
        <div className="columns">
          <DeliveryChart id={path.id} />
          <Received integration={integration} />
        </div>
        <Deliveries id={path.id} />
        <Secret integration={integration} />
      </div>
      {open === 'form' && <IntegrationForm integration={integration} onClose={close} />}
      {open === 'remove' && <Removal integration={integration} onClose={close} />}
    </Page>
  )
}

/** Nothing while all is well: the figures say so. */
function Health({ integration: { webhook, lastError, lastErrorAt } }: { integration: Integration }) {
  const words = useWords(integrationWords)
  const language = useLanguage()
  const format = useFormat()
  if (!webhook) return <Notice>{words.offAbout}</Notice>
  if (lastError === null) return null
  return (
    <Notice tone="warn">
      <strong>{words.lastFailure}</strong> {explainFailure(lastError, language)}
      {lastErrorAt && ` (${format.ago(lastErrorAt)})`}
    </Notice>
  )
}

function Received({ integration }: { integration: Integration }) {
  const words = useWords(integrationWords)
  const { types } = useWords(deliveryWords)
  const { webhookConstraint } = integration
  const isConstrained = webhookConstraint && Object.keys(webhookConstraint).length > 0
  return (
    <section className="card stack">
      <h2>{words.receives}</h2>
      <ul className="chips">
        {settingsOf(integration).types.map((type) => (
          <li key={type} className="badge" title={type}>
            {types[type] ?? type}
          </li>
        ))}
      </ul>
      {isConstrained && (
        <p className="small">
          {words.onlyWith} <code>{JSON.stringify(webhookConstraint)}</code>
        </p>
      )}
    </section>
  )
}

function Deliveries({ id }: { id: string }) {
  const words = useWords(integrationWords)
  const { page, setPage, read } = useFilters()
  const [status, event] = [read('status'), read('event')]
  const isFiltered = status !== '' || event !== ''
  const deliveries = useDeliveries(id, page, {
    ...(status !== '' && { status }),
    ...(event !== '' && { event }),
  })
  const [shown, setShown] = useState<Delivery>()
  const [open, setOpen] = useState<'recovery' | 'replay'>()
  const close = () => setOpen(undefined)
  return (
    <section className="card flush">
      <div className="row between card-title">
        <h2>{words.deliveries}</h2>
        <span className="row">
          <button type="button" className="button small" onClick={() => setOpen('recovery')}>
            <Icon name="refresh" />
            {words.recover}
          </button>
          <button type="button" className="button small" onClick={() => setOpen('replay')}>
            <Icon name="out" />
            {words.replay}
          </button>
        </span>
      </div>
      <DeliveryFilters />
      <Loaded query={deliveries}>
        {({ data, meta }) =>
          data.length === 0 && isFiltered ? (
            <Empty icon="search" title={words.nothingFound} />
          ) : data.length === 0 ? (
            <Empty icon="integrations" title={words.noDeliveries}>
              <p>{words.noDeliveriesAbout}</p>
            </Empty>
          ) : (
            <>
              <DeliveryTable rows={data} onShow={setShown} />
              <Pager meta={meta} onPage={setPage} />
            </>
          )
        }
      </Loaded>
      {open === 'recovery' && <Recovery id={id} onClose={close} />}
      {open === 'replay' && <Replay id={id} onClose={close} />}
      {shown && (
        <DeliveryDialog
          integrationId={id}
          deliveryId={String(shown.id)}
          onClose={() => setShown(undefined)}
        />
      )}
    </section>
  )
}

function DeliveryFilters() {
  const words = useWords(integrationWords)
  const common = useWords(commonWords)
  const { statuses, types } = useWords(deliveryWords)
  const { read, set } = useFilters()
  const choicesOf = (names: Record<string, string>) => [
    { value: '', name: common.all },
    ...Object.entries(names).map(([value, name]) => ({ value, name })),
  ]
  return (
    <search className="filters">
      <SelectField
        label={common.status}
        value={read('status')}
        onChange={({ target }) => set({ status: target.value })}
        choices={choicesOf(statuses)}
      />
      <SelectField
        label={words.event}
        value={read('event')}
        onChange={({ target }) => set({ event: target.value })}
        choices={choicesOf(types)}
      />
    </search>
  )
}

const DeliveryTable = memo(function DeliveryTable({
  rows,
  onShow,
}: {
  rows: Delivery[]
  onShow: (delivery: Delivery) => void
}) {
  const words = useWords(integrationWords)
  const common = useWords(commonWords)
  const { types } = useWords(deliveryWords)
  const language = useLanguage()
  const format = useFormat()
  const columns: Column<Delivery>[] = [
    {
      name: words.event,
      cell: (delivery) => (
        <button type="button" className="link" onClick={() => onShow(delivery)}>
          {types[delivery.event] ?? delivery.event}
        </button>
      ),
    },
    { name: words.when, cell: ({ createdAt }) => <span className="number">{format.exact(createdAt)}</span> },
    { name: common.status, cell: (delivery) => <DeliveryState delivery={delivery} /> },
    {
      name: words.answer,
      className: 'hide-narrow',
      cell: ({ lastStatus, lastError, reason }) =>
        lastStatus ?? explainFailure(lastError ?? reason ?? '—', language),
    },
    { name: words.attempts, className: 'right hide-narrow', cell: ({ attempts }) => attempts },
  ]
  return <Table caption={words.deliveries} columns={columns} rows={rows} keyOf={({ id }) => id} />
})

function Removal({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const words = useWords(integrationWords)
  const common = useWords(commonWords)
  const [, navigate] = useLocation()
  const { id, gateway } = integration
  const remove = useAction({
    async run() {
      await request('DELETE', '/integrations/{id}', { path: { id } })
      navigate('/integrations')
    },
    refresh: [integrationsKey],
    done: words.removed,
  })
  return (
    <Confirm
      title={gateway}
      action={common.remove}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmRemove(gateway)}</p>
    </Confirm>
  )
}
