/** One call: what happened when, what it cost and why, the recording, what was sent with it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { request } from '../../api.ts'
import type { CallDetail } from '../../api-types.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { CallButton } from '../../parts/records/call-button.tsx'
import { HangUp } from '../../parts/records/hang-up.tsx'
import { useMayChangeResult, useOutcomes } from '../../parts/records/outcomes.ts'
import { otherSideOf } from '../../parts/records/parties.tsx'
import { ResultForm } from '../../parts/records/result-form.tsx'
import { CallStatus } from '../../parts/records/status.tsx'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useSignedIn } from '../../session.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { resultWords } from '../../words/results.ts'
import { Changes } from './changes.tsx'
import { Deliveries } from './deliveries.tsx'
import { useEndCause } from './end-cause.ts'
import { Player } from './player.tsx'
import { Price } from './price.tsx'
import { Timeline } from './timeline.tsx'
import { callPageWords } from './words.ts'

export default function Call() {
  const { id = '' } = useParams()
  const words = useWords(callPageWords)
  const call = useQuery({
    queryKey: ['call', id],
    queryFn: () => request('GET', '/calls/{id}', { path: { id } }),
  })
  const titleOf = (found: CallDetail) =>
    words.one[found.call_type === 'inbound' ? 'from' : 'to'](telephone(otherSideOf(found)))
  return (
    <Page
      title={call.data ? titleOf(call.data) : words.title}
      about={<Link href="/calls">← {words.back}</Link>}
      actions={
        call.data && (
          <>
            {call.data.ended_at === null && <HangUp id={id} />}
            <CallButton number={otherSideOf(call.data)} label={words.callAgain} />
          </>
        )
      }
    >
      <Loaded query={call}>{(data) => <Parts key={data.id} call={data} />}</Loaded>
    </Page>
  )
}

function Parts({ call }: { call: CallDetail }) {
  const words = useWords(callPageWords)
  const results = useWords(resultWords)
  const { id, status } = call
  const timeline = useQuery({
    // Read again when the state of the call changes, and when something was delivered.
    queryKey: ['deliveries', 'of call', id, status],
    queryFn: () => request('GET', '/calls/{id}/events', { path: { id } }),
    placeholderData: keepPreviousData,
  })
  // All at once: what comes below does not move.
  if (timeline.isPending)
    return (
      <div className="card flush">
        <Skeleton lines={10} />
      </div>
    )
  return (
    <>
      <section className="card">
        <h2>{words.recording}</h2>
        <Recording call={call} />
      </section>
      <div className="columns">
        <div className="stack">
          <section className="card">
            <h2>{words.story}</h2>
            <Loaded query={timeline} lines={3}>
              {({ events }) => <Timeline events={events} />}
            </Loaded>
          </section>
          <section className="card">
            <h2>{words.priceTitle}</h2>
            <Price call={call} price={timeline.data?.price} />
          </section>
        </div>
        <div className="stack">
          <section className="card">
            <h2>{results.title}</h2>
            <Result call={call} />
          </section>
          <section className="card">
            <h2>{words.changes}</h2>
            <Changes id={id} />
          </section>
          <section className="card">
            <h2>{words.facts}</h2>
            <Facts call={call} />
          </section>
        </div>
      </div>
      {timeline.data?.deliveries && (
        <section className="card flush">
          <h2 className="card-title">{words.deliveries}</h2>
          <Deliveries deliveries={timeline.data.deliveries} />
        </section>
      )}
    </>
  )
}

/** Changed by the user of the call and by ADMINs, read by everybody. */
function Result({ call }: { call: CallDetail }) {
  const words = useWords(resultWords)
  const { labelOf } = useOutcomes()
  if (useMayChangeResult(call)) return <ResultForm call={call} />
  return (
    <dl className="facts">
      <dt>{words.outcome}</dt>
      <dd>{call.outcome ? labelOf(call.outcome) : words.none}</dd>
      <dt>{words.tags}</dt>
      <dd>{call.tags.join(', ') || '–'}</dd>
      <dt>{words.notes}</dt>
      <dd style={{ whiteSpace: 'pre-wrap' }}>{call.notes || '–'}</dd>
    </dl>
  )
}

function Recording({ call }: { call: CallDetail }) {
  const words = useWords(callPageWords)
  if (call.record_url !== '') return <Player id={call.id} seconds={call.duration} />
  if (call.recording_lost) return <Notice tone="warn">{words.lostRecordingAbout}</Notice>
  return <p className="faint">{words.noRecording}</p>
}

function Facts({ call }: { call: CallDetail }) {
  const words = useWords(callPageWords)
  const { type } = useWords(callWords)
  const endCause = useEndCause()
  const { user } = useSignedIn()
  const metadata = Object.entries(call.metadata)
  return (
    <dl className="facts">
      <dt>{words.status}</dt>
      <dd>
        <CallStatus status={call.status} />
      </dd>
      <dt>{words.type}</dt>
      <dd>{type[call.call_type]}</dd>
      <dt>{words.from}</dt>
      <dd className="number">{telephone(call.from)}</dd>
      <dt>{words.to}</dt>
      <dd className="number">{telephone(call.to)}</dd>
      <dt>{words.person}</dt>
      <dd>
        {call.first_name} {call.last_name}
      </dd>
      <dt>{words.callerId}</dt>
      <dd className="number">{call.BINA ? telephone(call.BINA) : '–'}</dd>
      <dt>{words.cause}</dt>
      <dd>{endCause(call) ?? '–'}</dd>
      <dt>{words.id}</dt>
      <dd>
        <span className="mono">{call.id}</span>
        {user.role === 'ADMIN' && (
          <div className="small">
            <Link href={`/requests?id=${call.id}`}>{words.requests}</Link>
          </div>
        )}
      </dd>
      <dt>{words.metadata}</dt>
      <dd>
        {metadata.length === 0 ? (
          <span className="faint">{words.noMetadata}</span>
        ) : (
          metadata.map(([key, value]) => (
            <div key={key}>
              <span className="faint">{key}:</span>{' '}
              {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
            </div>
          ))
        )}
      </dd>
    </dl>
  )
}
