/** The live calls of all accounts, which the operator may hang up (D620), and the way to any call by its id. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { OperatorPage } from '../../src/contract/operator.ts'
import type { OperatorLiveCall } from '../../src/contract/operator-calls.ts'
import { useFormat } from '../parts/format.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Form } from '../parts/forms/form.tsx'
import { useFilters } from '../parts/forms/use-filters.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { Page } from '../parts/page.tsx'
import { CallStatus, CallType } from '../parts/records/status.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { telephone } from '../parts/telephone.ts'
import { queryClient } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { ReasonField } from './account/change.tsx'
import { accountWords } from './account/words.ts'
import { metaOf, operate } from './operator-api.ts'
import { Search } from './search.tsx'
import { SipLink, sipPath } from './sip-link.tsx'
import { operatorWords } from './words.ts'

const callsKey = ['operator', 'calls']
const refreshMs = 3_000
/** The id of a call, which may be over and not in the list. */
const callId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function LiveCalls() {
  const words = useWords(operatorWords)
  const { read, page: wanted, setPage } = useFilters()
  const search = read('search').trim()
  const query = new URLSearchParams({ search, page: String(wanted) })
  const calls = useQuery({
    queryKey: [...callsKey, query.toString()],
    queryFn: () => operate<OperatorPage<OperatorLiveCall>>('GET', `/calls?${query}`),
    placeholderData: (before) => before,
    refetchInterval: refreshMs,
  })
  const [ending, setEnding] = useState<OperatorLiveCall>()
  return (
    <Page title={words.liveCalls} about={words.liveCallsAbout}>
      <div className="card flush">
        <Search label={words.searchCalls} />
        {callId.test(search) && (
          <p className="list-search">
            <Link href={sipPath(search)}>{words.sipMessagesOf(search)}</Link>
          </p>
        )}
        <Loaded query={calls}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="calls" title={words.noLiveCalls} />
            ) : (
              <>
                <CallTable rows={page.rows} onEnd={setEnding} />
                <Pager meta={metaOf(page)} onPage={setPage} />
              </>
            )
          }
        </Loaded>
      </div>
      {ending && <HangUp call={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  )
}

type TableProps = { rows: OperatorLiveCall[]; onEnd: (call: OperatorLiveCall) => void }

function CallTable({ rows, onEnd }: TableProps) {
  const words = useWords(operatorWords)
  const account = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const columns: Column<OperatorLiveCall>[] = [
    {
      name: words.account,
      cell: ({ domain }) => <Link href={`/accounts/${domain}`}>{domain}</Link>,
    },
    {
      name: account.from,
      className: 'number',
      cell: ({ type, from }) => (
        <>
          <CallType type={type} /> {telephone(from)}
        </>
      ),
    },
    { name: account.to, className: 'number', cell: ({ to }) => telephone(to) },
    { name: common.status, cell: ({ status }) => <CallStatus status={status} /> },
    {
      name: account.since,
      className: 'number hide-narrow',
      cell: ({ answeredAt, startedAt }) => format.time(answeredAt ?? startedAt),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (call) => (
        <span className="row-actions">
          <SipLink call={call} />
          <button
            type="button"
            className="button small"
            aria-label={`${common.hangUp} ${telephone(call.from)} – ${telephone(call.to)}`}
            onClick={() => onEnd(call)}
          >
            {common.hangUp}
          </button>
        </span>
      ),
    },
  ]
  return <Table caption={words.liveCalls} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

function HangUp({
  call: { id, domain, from, to },
  onClose,
}: {
  call: OperatorLiveCall
  onClose: () => void
}) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const form = useForm(async ({ reason }) => {
    await operate('POST', `/calls/${id}/hangup`, { reason })
    await queryClient.invalidateQueries({ queryKey: callsKey })
    onClose()
  })
  return (
    <Dialog title={words.hangUpTitle(domain)} onClose={onClose}>
      <Form form={form} action={common.hangUp} onCancel={onClose}>
        <p>{words.hangUpAbout(telephone(from), telephone(to))}</p>
        <ReasonField />
      </Form>
    </Dialog>
  )
}
