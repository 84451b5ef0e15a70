/** Calls under way with their seconds running, and the phones that are connected. */
import { Link } from 'wouter'
import type { CallRecord, Extension } from '../../api-types.ts'
import { useLive } from '../../live.ts'
import { useExtensions } from '../../own-extension.ts'
import { duration } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { HangUp } from '../../parts/records/hang-up.tsx'
import { Party } from '../../parts/records/parties.tsx'
import { CallStatus, CallType } from '../../parts/records/status.tsx'
import { Searched } from '../../parts/searched.tsx'
import { Empty, Skeleton } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { useNow } from './use-now.ts'
import { liveWords } from './words.ts'

export default function LivePage() {
  const words = useWords(liveWords)
  const { calls, isConnected } = useLive()
  const extensions = useExtensions()
  // The first snapshot and the phones appear at once: nothing that is shown moves.
  const isKnown = (isConnected || calls.length > 0) && !extensions.isPending
  return (
    <Page
      title={words.title}
      about={isConnected ? words.about : words.waiting}
      actions={
        // In a window of its own: the phone of this page goes on.
        <a className="button" href="/console/live/wall" target="_blank" rel="noreferrer">
          {words.wall}
        </a>
      }
    >
      {isKnown ? <Now calls={calls} /> : <Skeleton lines={10} />}
    </Page>
  )
}

function Now({ calls }: { calls: CallRecord[] }) {
  const words = useWords(liveWords)
  return (
    <>
      <section className="card flush">
        <h2 className="card-title">{words.calls(calls.length)}</h2>
        {calls.length === 0 ? (
          <Empty icon="live" title={words.none}>
            <p>{words.noneAbout}</p>
          </Empty>
        ) : (
          <LiveCalls calls={calls} />
        )}
      </section>
      <Phones calls={calls} />
    </>
  )
}

function LiveCalls({ calls }: { calls: CallRecord[] }) {
  const words = useWords(liveWords)
  const common = useWords(commonWords)
  const now = useNow()
  const columns: Column<CallRecord>[] = [
    {
      name: common.status,
      cell: ({ status, call_type }) => (
        <span className="with-icon">
          <CallType type={call_type} />
          <CallStatus status={status} />
        </span>
      ),
    },
    {
      name: words.from,
      cell: (call) => <Party call={call} side="from" />,
    },
    {
      name: words.to,
      cell: (call) => (
        <Link href={`/calls/${call.id}`}>
          <Party call={call} side="to" />
        </Link>
      ),
    },
    {
      name: words.for,
      className: 'right number',
      cell: ({ answered_at, started_at }) => duration((now - Date.parse(answered_at ?? started_at)) / 1000),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: ({ id }) => <HangUp id={id} compact />,
    },
  ]
  return <Table caption={words.title} columns={columns} rows={calls} keyOf={({ id }) => id} />
}

function Phones({ calls }: { calls: CallRecord[] }) {
  const words = useWords(liveWords)
  const { data = [] } = useExtensions()
  const busy = new Set(calls.flatMap(({ from, to }) => [from, to]))
  const rank = ({ ramal, registered }: Extension) => (busy.has(ramal) ? 0 : registered ? 1 : 2)
  // Those who talk first; the sort keeps the order of numbers within each state.
  const sorted = data.toSorted((one, other) => rank(one) - rank(other))
  const online = data.filter(({ registered }) => registered).length
  return (
    <section className="card">
      <h2>{words.phones(online, data.length)}</h2>
      <Searched
        rows={sorted}
        itemsPerPage={60}
        label={words.search}
        textOf={({ ramal, first_name, last_name }) => `${ramal} ${first_name} ${last_name}`}
      >
        {(rows) => (
          <ul className="phones">
            {rows.map(({ id, ramal, first_name, registered }) => (
              <li key={id}>
                <strong className="number">{ramal}</strong>
                <span className="faint">{first_name}</span>
                <span className={busy.has(ramal) ? 'badge accent' : registered ? 'badge good' : 'badge'}>
                  <span className="dot" />
                  {busy.has(ramal) ? words.inCall : registered ? words.online : words.offline}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Searched>
    </section>
  )
}
