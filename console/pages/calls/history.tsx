/** The call history: filters in the address, columns of the person's choice, pages, CSV. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import type { ListedCall } from '../../api-types.ts'
import { duration, useFormat } from '../../parts/format.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { otherSideOf, Party } from '../../parts/records/parties.tsx'
import { CallStatus, CallType } from '../../parts/records/status.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, None, Pager, rowsPerPage, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useSignedIn } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { language, useWords } from '../../words/language.ts'
import { resultWords } from '../../words/results.ts'
import { ColumnChoice, readColumns } from './column-choice.tsx'
import { useEndCause } from './end-cause.ts'
import { FilterBar } from './filter-bar.tsx'
import { type CallFilters, filterNames, whereOf } from './filters.ts'
import { OutcomeCell } from './outcome-cell.tsx'
import { PlayButton } from './play-button.tsx'
import { callPageWords } from './words.ts'

/** D591: the columns need no other fields, and `recording_lost` is shown only if it is named. */
const fields = [
  'id',
  'call_type',
  'status',
  'started_at',
  'answered_at',
  'ended_at',
  'from',
  'to',
  'first_name',
  'duration',
  'hangup_cause',
  'ended_by',
  'record_url',
  'recording_lost',
  'call_price',
  'outcome',
  'tags',
  'notes',
  'user_uuid',
  'extension_user_uuid',
] as const satisfies (keyof ListedCall)[]
type ShownCall = Pick<ListedCall, (typeof fields)[number]>

export default function History() {
  const words = useWords(callPageWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const filters = useFilters()
  const [hidden, setHidden] = useState(readColumns)
  const chosen = Object.fromEntries(filterNames.map((name) => [name, filters.read(name)]))
  const where = whereOf(chosen as CallFilters, new Date(), format.timeZone)
  const filter = where && JSON.stringify({ where })
  const calls = useQuery({
    queryKey: ['calls', filters.page, filter],
    queryFn: () =>
      request('GET', '/calls', {
        query: { page: filters.page, filter: JSON.stringify({ where, fields, limit: rowsPerPage }) },
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title={words.title}
      about={words.abouts[useAudience()]}
      actions={
        <>
          <a className="button" href={`/api/v1/calls?${fileQuery(where, hidden)}`} download>
            <Icon name="download" />
            {common.exportCsv}
          </a>
          <ColumnChoice columns={useColumns()} hidden={hidden} onChange={setHidden} />
        </>
      }
    >
      <FilterBar filters={filters} />
      <div className="card flush">
        <Loaded query={calls} lines={10}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty icon="calls" title={filters.isEmpty ? words.noCalls : words.noMatch}>
                <p>{filters.isEmpty ? words.noCallsAbout : words.noMatchAbout}</p>
                {filters.isEmpty ? (
                  <Link className="button primary" href="/phone">
                    <Icon name="phone" />
                    {common.openPhone}
                  </Link>
                ) : (
                  <button type="button" className="button" onClick={filters.clear}>
                    {words.clear}
                  </button>
                )}
              </Empty>
            ) : (
              <>
                <Calls rows={data} hidden={hidden} />
                <Pager meta={meta} onPage={filters.setPage} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

/** Drawn again for other calls or columns alone, not at each key of a filter. */
const Calls = memo(function Calls({ rows, hidden }: { rows: ShownCall[]; hidden: string[] }) {
  const words = useWords(callPageWords)
  const columns = useColumns().filter(({ id }) => !hidden.includes(id))
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
})

/** D599: whose calls are shown, and who may listen. */
function useAudience(): 'all' | 'admin' | 'own' {
  const { account, user } = useSignedIn()
  if (account.callVisibility === 'account') return 'all'
  return user.role === 'ADMIN' ? 'admin' : 'own'
}

/** Fields of the record by the columns that show them. */
const columnFields: Record<string, (keyof ListedCall)[]> = {
  when: ['started_at', 'call_type'],
  from: ['from', 'first_name', 'last_name'],
  to: ['to'],
  status: ['status'],
  cause: ['hangup_cause', 'ended_by'],
  outcome: ['outcome', 'tags', 'notes'],
  length: ['duration'],
  price: ['call_price'],
}

/** D615: all calls of the filter as one file, with the columns of the page, for the spreadsheet of the person. */
function fileQuery(where: object | undefined, hidden: string[]): string {
  const shown = Object.keys(columnFields).filter((column) => !hidden.includes(column))
  const fields = [...shown.flatMap((column) => columnFields[column] ?? []), 'record_url', 'id']
  const filter = JSON.stringify({ ...(where && { where }), fields })
  return new URLSearchParams({ format: 'csv', sheet: language(), filter }).toString()
}

function useColumns(): (Column<ShownCall> & { id: string })[] {
  const words = useWords(callPageWords)
  const common = useWords(commonWords)
  const endCause = useEndCause()
  const results = useWords(resultWords)
  const format = useFormat()
  return [
    {
      id: 'when',
      name: words.when,
      className: 'number',
      cell: ({ id, started_at, call_type }) => (
        <span className="with-icon">
          <CallType type={call_type} />
          <Link href={`/calls/${id}`}>{format.moment(started_at)}</Link>
        </span>
      ),
    },
    { id: 'from', name: words.from, cell: (call) => <Party call={call} side="from" /> },
    { id: 'to', name: words.to, cell: (call) => <Party call={call} side="to" /> },
    {
      id: 'status',
      name: words.status,
      cell: ({ status, recording_lost }) => (
        <>
          <CallStatus status={status} />{' '}
          {recording_lost && <span className="badge warn">{words.lostRecording}</span>}
        </>
      ),
    },
    {
      id: 'cause',
      name: words.cause,
      className: 'hide-narrow hide-tight faint',
      cell: (call) => endCause(call) ?? '',
    },
    {
      id: 'outcome',
      name: results.outcome,
      className: 'hide-narrow',
      cell: (call) => <OutcomeCell call={call} />,
    },
    {
      id: 'length',
      name: words.length,
      className: 'right number',
      cell: ({ answered_at, ended_at, duration: seconds }) =>
        answered_at === null || ended_at === null ? <None /> : duration(seconds),
    },
    {
      id: 'price',
      name: words.price,
      className: 'right number hide-narrow',
      cell: ({ call_price }) => (call_price === null ? <None /> : format.money(call_price)),
    },
    {
      id: 'actions',
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (call) => (
        <RowActions>
          {call.record_url !== '' && <PlayButton id={call.id} name={telephone(otherSideOf(call))} />}
          <CallButton number={otherSideOf(call)} compact />
        </RowActions>
      ),
    },
  ]
}
