/** Missed calls as a list to work off: call back, mark as done, see who already did (D600). */
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import type { MissedCall } from '../../api-types.ts'
import { type MissedState, missedKey, useMissed } from '../../missed.ts'
import { useFormat } from '../../parts/format.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { pageOf } from '../../parts/search.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, rowsPerPage, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { missedWords } from './words.ts'

const states: MissedState[] = ['open', 'done', 'all']

export default function Missed() {
  const words = useWords(missedWords)
  const filters = useFilters()
  const state = states.find((one) => one === filters.read('state')) ?? 'open'
  const missed = useMissed(state)
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <fieldset className="plain chips" aria-label={words.state}>
          {states.map((one) => (
            <button
              key={one}
              type="button"
              className="chip"
              aria-pressed={one === state}
              onClick={() => filters.set({ state: one === 'open' ? '' : one })}
            >
              {words.states[one]}
            </button>
          ))}
        </fieldset>
        <div className="card flush">
          <Loaded query={missed}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty icon="in" title={state === 'open' ? words.none : words.noneOfState}>
                  {state === 'open' && <p>{words.noneAbout}</p>}
                </Empty>
              ) : (
                <Rows data={data} />
              )
            }
          </Loaded>
        </div>
      </div>
    </Page>
  )
}

/** With pages: after a week of absence there are hundreds. */
const Rows = memo(function Rows({ data }: { data: MissedCall[] }) {
  const { page, setPage } = useFilters()
  const { rows, meta } = useMemo(() => pageOf(data, page, rowsPerPage), [data, page])
  return (
    <>
      <MissedTable rows={rows} />
      {meta.totalPageCount > 1 && <Pager meta={meta} onPage={setPage} />}
    </>
  )
})

const MissedTable = memo(function MissedTable({ rows }: { rows: MissedCall[] }) {
  const words = useWords(missedWords)
  const columns = useColumns(useContactNames(rows))
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ number }) => number} />
})

const isNumber = (number: string) => /^\d+$/.test(number)

/** Names of contacts by their numbers. */
function useContactNames(missed: MissedCall[]): Map<string, string> {
  const numbers = missed.map(({ number }) => number).filter(isNumber)
  const contacts = useQuery({
    queryKey: ['contacts', 'of numbers', numbers],
    queryFn: () => {
      const filter = JSON.stringify({ where: { numbers: { inq: numbers } }, limit: 200 })
      return request('GET', '/contacts', { query: { page: 1, filter } })
    },
    enabled: numbers.length > 0,
  })
  const found = contacts.data?.data ?? []
  return new Map(found.flatMap(({ name = '', numbers: own = [] }) => own.map((number) => [number, name])))
}

function useColumns(names: Map<string, string>): Column<MissedCall>[] {
  const words = useWords(missedWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const shown = (number: string) => (isNumber(number) ? telephone(number) : words.anonymous)
  return [
    {
      name: words.number,
      cell: ({ number }) => (
        <>
          <span className="number">{shown(number)}</span>
          {names.has(number) && <span className="faint"> {names.get(number)}</span>}
        </>
      ),
    },
    {
      name: words.last,
      className: 'number',
      cell: ({ last_at, last_call_id }) => (
        <Link href={`/calls/${last_call_id}`}>{format.moment(last_at)}</Link>
      ),
    },
    { name: words.times, className: 'right number', cell: ({ calls }) => format.count(calls) },
    { name: words.extension, className: 'hide-narrow number', cell: ({ extension }) => extension },
    { name: words.done, cell: ({ done }) => <Done done={done} /> },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (missed) => (
        <RowActions>
          {isNumber(missed.number) && <CallButton number={missed.number} compact />}
          <Mark missed={missed} name={shown(missed.number)} />
        </RowActions>
      ),
    },
  ]
}

function Done({ done }: Pick<MissedCall, 'done'>) {
  const words = useWords(missedWords)
  const format = useFormat()
  if (!done) return <span className="badge warn">{words.open}</span>
  return (
    <>
      {words.ways[done.how](done.name, format.moment(done.at))}
      {done.answered === false && <span className="faint"> ({words.notReached})</span>}
    </>
  )
}

/** A call that was called back stays done: only a mark can be taken back. */
function Mark({ missed: { number, done }, name }: { missed: MissedCall; name: string }) {
  const words = useWords(missedWords)
  const mark = useAction({
    run: (isDone: boolean) => request('PATCH', '/calls/missed', { body: { number, done: isDone } }),
    refresh: [missedKey],
    done: done ? words.reopened : words.marked,
  })
  if (done && done.how !== 'marked') return null
  return (
    <RowButton
      icon={done ? 'refresh' : 'check'}
      name={done ? words.reopen(name) : words.markDone(name)}
      isBusy={mark.isPending}
      onClick={() => mark.mutate(!done)}
    />
  )
}
