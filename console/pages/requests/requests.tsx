/** The requests of the account, newest first, found by their X-Request-Id (D619) or their call (D673). */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import type { RequestEntry } from '../../api-types.ts'
import { CopyInRow } from '../../parts/copy.tsx'
import { useFormat } from '../../parts/format.ts'
import { SelectField } from '../../parts/forms/field.tsx'
import { SearchInput } from '../../parts/forms/search-input.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, rowsPerPage, Table } from '../../parts/table.tsx'
import { useWords } from '../../words/language.ts'
import { requestWords } from './words.ts'

const statuses: Record<string, object[]> = {
  ok: [{ status: { lt: 400 } }],
  refused: [{ status: { gte: 400 } }, { status: { lt: 500 } }],
  failed: [{ status: { gte: 500 } }],
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Ids of calls have the form of a UUID, and those of requests may. */
const withId = (id: string) =>
  uuid.test(id) ? { or: [{ requestId: id }, { callId: id }] } : { requestId: id }

function whereOf(read: (name: string) => string) {
  const id = read('id').trim()
  const kind = read('sender')
  const and = [
    ...(id === '' ? [] : [withId(id)]),
    ...(statuses[read('answer')] ?? []),
    ...(kind === '' ? [] : [{ kind }]),
  ]
  return and.length === 0 ? {} : { and }
}

/** D662: requests are written every second, so that one of this moment is found by looking again. */
const lookAgain = { everyMs: 1_000, looks: 5 }

const choicesOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, name]) => ({ value, name }))

export default function Requests() {
  const words = useWords(requestWords)
  const { page, setPage, read, set } = useFilters()
  const filter = JSON.stringify({ where: whereOf(read), limit: rowsPerPage })
  const requests = useQuery({
    queryKey: ['requests', page, filter],
    queryFn: () => request('GET', '/requests', { query: { page, filter } }),
    placeholderData: keepPreviousData,
    refetchInterval({ state: { data, dataUpdateCount } }) {
      const isYoung = read('id') !== '' && data?.data.length === 0 && dataUpdateCount < lookAgain.looks
      return isYoung && lookAgain.everyMs
    },
  })
  return (
    <Page title={words.title} about={`${words.about} ${words.requestIdHint}`}>
      <search className="card filters">
        <SearchInput label={words.requestId} value={read('id')} onSearch={(id) => set({ id })} />
        <SelectField
          label={words.answer}
          value={read('answer')}
          onChange={(event) => set({ answer: event.target.value })}
          choices={choicesOf(words.answers)}
        />
        <SelectField
          label={words.sender}
          value={read('sender')}
          onChange={(event) => set({ sender: event.target.value })}
          choices={choicesOf(words.senders)}
        />
      </search>
      <div className="card flush">
        <Loaded query={requests} lines={12}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty icon="search" title={words.empty} />
            ) : (
              <>
                <Entries rows={data} showsId={read('id') !== ''} />
                <Pager meta={meta} onPage={setPage} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

function toneOf(status: number): string {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

type EntriesProps = { rows: RequestEntry[]; showsId: boolean }

/** The id is read where it was looked for, and copied elsewhere. */
const Entries = memo(function Entries({ rows, showsId }: EntriesProps) {
  const words = useWords(requestWords)
  const format = useFormat()
  const columns: Column<RequestEntry>[] = [
    { name: words.when, className: 'number', cell: ({ at }) => format.exact(at) },
    {
      name: words.request,
      className: 'breaks',
      cell: ({ method, route, requestId, callId }) => (
        <>
          <strong>
            {method} {route}
          </strong>
          {callId && (
            <div className="small">
              <Link href={`/calls/${callId}`} aria-label={`${words.call} ${callId}`}>
                {words.call}
              </Link>
            </div>
          )}
          {showsId && <div className="faint small">{requestId}</div>}
        </>
      ),
    },
    {
      name: words.answer,
      cell: ({ status, code }) => (
        <>
          <span className={`badge ${toneOf(status)}`}>{status}</span>
          {code && <div className="faint small">{code}</div>}
        </>
      ),
    },
    {
      name: words.duration,
      className: 'right number hide-narrow',
      cell: ({ durationMs }) => `${format.count(durationMs)} ms`,
    },
    {
      name: words.who,
      className: 'keep',
      cell: ({ user, kind, address }) => (
        <>
          {user}
          <div className="faint small">{words.by[kind]}</div>
          <div className="faint small hide-tight">{address}</div>
        </>
      ),
    },
    {
      name: words.copyId,
      hideName: true,
      className: 'narrow',
      cell: ({ requestId }) => (
        <RowActions>
          <CopyInRow text={requestId} name={words.copyId} />
        </RowActions>
      ),
    },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
})
