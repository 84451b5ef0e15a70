/** Calls under way with their seconds running, and the phones that are connected. */
import './live.css'
import { memo, useDeferredValue, useMemo } from 'react'
import { Link } from 'wouter'
import type { Extension } from '../../api-types.ts'
import { type LiveCall, useLive } from '../../live.ts'
import { useExtensions } from '../../own-extension.ts'
import { duration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { type Conversation, conversationsOf } from '../../parts/records/conversations.ts'
import { HangUp } from '../../parts/records/hang-up.tsx'
import { Party } from '../../parts/records/parties.tsx'
import { CallStatus, CallType } from '../../parts/records/status.tsx'
import { Searched } from '../../parts/searched.tsx'
import { Empty, Skeleton } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useIsAdmin } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { useNow, usePaced } from './use-now.ts'
import { liveWords } from './words.ts'

export default function LivePage() {
  const words = useWords(liveWords)
  const { calls, isConnected } = useLive()
  // D670: drawn between clicks and keys.
  const shown = useDeferredValue(usePaced(calls))
  const extensions = useExtensions()
  // The first snapshot and the phones appear at once: nothing that is shown moves.
  const isKnown = useDeferredValue((isConnected || calls.length > 0) && !extensions.isPending)
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
      {isKnown ? (
        <Now calls={shown} />
      ) : (
        <div className="card flush">
          <Skeleton lines={10} />
        </div>
      )}
    </Page>
  )
}

const Now = memo(function Now({ calls }: { calls: LiveCall[] }) {
  const words = useWords(liveWords)
  const common = useWords(commonWords)
  const conversations = useMemo(() => conversationsOf(calls), [calls])
  return (
    <>
      <section className="card flush">
        <h2 className="card-title">{words.calls(conversations.length)}</h2>
        {calls.length === 0 ? (
          <Empty icon="live" title={words.none}>
            <p>{words.noneAbout}</p>
            <Link className="button" href="/phone">
              <Icon name="phone" />
              {common.openPhone}
            </Link>
          </Empty>
        ) : (
          <LiveCalls conversations={conversations} />
        )}
      </section>
      <Phones conversations={conversations} />
    </>
  )
})

/** Twice as many rows as in other lists: this page is for watching an office at a glance. */
const maxOnPage = 50

function LiveCalls({ conversations }: { conversations: Conversation<LiveCall>[] }) {
  const words = useWords(liveWords)
  const common = useWords(commonWords)
  // The same until the language changes: of hundreds of rows only the one whose call changed is rendered.
  const columns = useMemo(() => columnsOf(words, common), [words, common])
  return (
    <Searched
      rows={conversations}
      name="call"
      isLive
      itemsPerPage={maxOnPage}
      label={words.searchCalls}
      textOf={({ call, from, to }) => `${from} ${to} ${call.first_name} ${call.last_name}`}
    >
      {(rows) => <Table caption={words.title} columns={columns} rows={rows} keyOf={({ call }) => call.id} />}
    </Searched>
  )
}

type Words = typeof liveWords.pt
type Common = typeof commonWords.pt

function columnsOf(words: Words, common: Common): Column<Conversation<LiveCall>>[] {
  return [
    {
      name: common.status,
      cell: ({ call: { status, call_type } }) => (
        <span className="with-icon">
          <CallType type={call_type} />
          <CallStatus status={status} />
        </span>
      ),
    },
    {
      name: words.from,
      cell: (conversation) => <Talking conversation={conversation} side="from" />,
    },
    {
      name: words.to,
      cell: (conversation) => (
        <Link href={`/calls/${conversation.call.id}`}>
          <Talking conversation={conversation} side="to" />
        </Link>
      ),
    },
    {
      name: words.for,
      className: 'right number',
      cell: ({ call: { answered_at, started_at } }) => <Running since={answered_at ?? started_at} />,
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: ({ call: { id } }) => <HangUp id={id} compact />,
    },
  ]
}

function Running({ since }: { since: string }) {
  return <span className="running">{duration((useNow() - Date.parse(since)) / 1000)}</span>
}

/** After a transfer, the new party with its name, and the party whose place it took. */
function Talking({ conversation, side }: TalkingProps) {
  const { call, [side]: number } = conversation
  if (number === call[side]) return <Party call={call} side={side} />
  return <Joined conversation={conversation} side={side} />
}

type TalkingProps = { conversation: Conversation<LiveCall>; side: 'from' | 'to' }

function Joined({ conversation, side }: TalkingProps) {
  const words = useWords(liveWords)
  const { data = [] } = useExtensions()
  const { call, [side]: number } = conversation
  return (
    <>
      <span className="number">{telephone(number)}</span>
      <span className="faint hide-narrow"> {data.find(({ ramal }) => ramal === number)?.first_name}</span>
      <span className="badge">{words.insteadOf(telephone(call[side]))}</span>
    </>
  )
}

function Phones({ conversations }: { conversations: Conversation<LiveCall>[] }) {
  const words = useWords(liveWords)
  const { data = [] } = useExtensions()
  const busy = new Set(conversations.flatMap(({ from, to }) => [from, to]))
  const rank = ({ ramal, registered }: Extension) => (busy.has(ramal) ? 0 : registered ? 1 : 2)
  // Those who talk first; the sort keeps the order of numbers within each state.
  const sorted = data.toSorted((one, other) => rank(one) - rank(other))
  const online = data.filter(({ registered }) => registered).length
  if (data.length === 0) return <NoPhones />
  return (
    <section className="card live-phones">
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

function NoPhones() {
  const words = useWords(liveWords)
  const isAdmin = useIsAdmin()
  return (
    <section className="card flush">
      <Empty icon="extensions" title={words.noExtensions}>
        <p>{words.noExtensionsAbout}</p>
        {isAdmin && (
          <Link className="button primary" href="/extensions?new=1">
            <Icon name="plus" />
            {words.createExtension}
          </Link>
        )}
      </Empty>
    </section>
  )
}
