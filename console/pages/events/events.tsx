/** The events of the account, newest first, each of which can be sent to an integration (D605, D606). */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import type { LoggedEvent } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { SelectField } from '../../parts/forms/field.tsx'
import { SearchInput } from '../../parts/forms/search-input.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { deliveriesKey } from '../../parts/records/delivery.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, None, rowsPerPage, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { EventDialog } from './event-dialog.tsx'
import { eventWords } from './words.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default function Events() {
  const words = useWords(eventWords)
  const common = useWords(commonWords)
  const { types } = useWords(deliveryWords)
  const { read, set } = useFilters()
  const [type, call, before] = [read('type'), read('call').trim(), read('before')]
  const query = {
    limit: rowsPerPage,
    ...(type !== '' && { type }),
    ...(uuid.test(call) && { callId: call }),
    ...(before !== '' && { before }),
  }
  const events = useQuery({
    // With the deliveries: what is sent again changes them.
    queryKey: [...deliveriesKey, 'events', query],
    queryFn: () => request('GET', '/events/log', { query }),
    placeholderData: keepPreviousData,
  })
  const choices = Object.entries(types).filter(([value]) => value !== 'test')
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Link className="button" href="/events/catalogue">
          {words.catalogue}
        </Link>
      }
    >
      <search className="card filters">
        <SelectField
          label={words.event}
          value={type}
          onChange={({ target }) => set({ type: target.value, before: '' })}
          choices={[{ value: '', name: common.all }, ...choices.map(([value, name]) => ({ value, name }))]}
        />
        <SearchInput label={words.callId} value={call} onSearch={(text) => set({ call: text, before: '' })} />
      </search>
      <div className="card flush">
        <Loaded query={events} lines={12}>
          {({ data, next }) => (
            <>
              {data.length > 0 ? (
                <Rows rows={data} />
              ) : type === '' && call === '' ? (
                <Empty icon="integrations" title={words.none}>
                  <p>{words.noneAbout}</p>
                  <Link className="button" href="/integrations">
                    {words.toIntegrations}
                  </Link>
                </Empty>
              ) : (
                <Empty icon="search" title={words.empty} />
              )}
              <Older next={next} isFirst={before === ''} onGo={(cursor) => set({ before: cursor })} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

const Rows = memo(function Rows({ rows }: { rows: LoggedEvent[] }) {
  const words = useWords(eventWords)
  const { types } = useWords(deliveryWords)
  const format = useFormat()
  const [shown, setShown] = useState<LoggedEvent>()
  const columns: Column<LoggedEvent>[] = [
    { name: words.when, className: 'number', cell: ({ createdAt }) => format.exact(createdAt) },
    {
      name: words.event,
      className: 'keep',
      cell: (row) => (
        <button type="button" className="link" onClick={() => setShown(row)}>
          {types[row.event] ?? row.event}
        </button>
      ),
    },
    { name: words.subject, className: 'hide-narrow', cell: (row) => <Subject row={row} /> },
    {
      name: words.sentTo,
      className: 'breaks',
      cell: ({ deliveries }) => (deliveries.length === 0 ? <None /> : <SentTo deliveries={deliveries} />),
    },
  ]
  return (
    <>
      <Table caption={words.title} columns={columns} rows={rows} keyOf={({ cursor }) => cursor} />
      {shown && <EventDialog event={shown} onClose={() => setShown(undefined)} />}
    </>
  )
})

type Status = LoggedEvent['deliveries'][number]['status']

const icons: Record<Status, IconName> = {
  delivered: 'check',
  pending: 'refresh',
  dead: 'warning',
  skipped: 'close',
}
const tones: Record<Status, string> = { delivered: '', pending: 'warn', dead: 'bad', skipped: 'faint' }

/** A delivered event has a tick; any other state is named. */
function SentTo({ deliveries }: Pick<LoggedEvent, 'deliveries'>) {
  const { statuses } = useWords(deliveryWords)
  return (
    <span className="chips">
      {deliveries.map(({ gateway, status }) => (
        <span key={gateway} className={`with-icon small ${tones[status]}`}>
          <Icon name={icons[status]} />
          <span>
            {gateway}
            <span className={status === 'delivered' ? 'visually-hidden' : undefined}>
              : {statuses[status]}
            </span>
          </span>
        </span>
      ))}
    </span>
  )
}

function Subject({ row: { subject, subjectId } }: { row: LoggedEvent }) {
  const words = useWords(eventWords)
  if (subject !== 'call' && subject !== 'result') return words.subjects[subject]
  return <Link href={`/calls/${subjectId}`}>{words.subjects.call}</Link>
}

type OlderProps = { next: string | undefined; isFirst: boolean; onGo: (cursor: string) => void }

function Older({ next, isFirst, onGo }: OlderProps) {
  const words = useWords(eventWords)
  if (isFirst && next === undefined) return null
  return (
    <nav className="pager" aria-label={words.title}>
      <button type="button" className="button small" disabled={isFirst} onClick={() => onGo('')}>
        {words.newest}
      </button>
      <button
        type="button"
        className="button small"
        disabled={next === undefined}
        onClick={() => onGo(next ?? '')}
      >
        {words.older}
      </button>
    </nav>
  )
}
