/** One call: what happened when, what it cost and why, the recording, what was sent with it. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { client, must } from '../../api.ts'
import type { CallRecord } from '../../api-types.ts'
import { CallButton } from '../../parts/call-button.tsx'
import { duration, telephone, useFormat } from '../../parts/format.ts'
import { HangUp } from '../../parts/hang-up.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { CallStatus } from '../../parts/status.tsx'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { Player } from './player.tsx'
import { Timeline } from './timeline.tsx'
import { callPageWords } from './words.ts'

export default function Call() {
  const { id = '' } = useParams()
  const words = useWords(callPageWords)
  const call = useQuery({
    queryKey: ['call', id],
    queryFn: () => must(client.GET('/calls/{id}', { params: { path: { id } } })),
  })
  return (
    <Page
      title={call.data ? words.title1(telephone(call.data.to)) : words.title}
      about={<Link href="/calls">← {words.back}</Link>}
      actions={
        call.data && (
          <>
            {call.data.ended_at === null && <HangUp id={id} />}
            <CallButton number={call.data.to} />
          </>
        )
      }
    >
      <Loaded query={call}>{(data) => <Parts call={data} />}</Loaded>
    </Page>
  )
}

function Parts({ call }: { call: CallRecord }) {
  const words = useWords(callPageWords)
  return (
    <>
      <section className="card">
        <h2>{words.recording}</h2>
        {call.record_url === '' ? (
          <p className="faint">{words.noRecording}</p>
        ) : (
          <Player id={call.id} seconds={call.duration} />
        )}
      </section>
      <div className="columns">
        <section className="card">
          <h2>{words.story}</h2>
          <Timeline call={call} />
        </section>
        <div className="stack">
          <section className="card">
            <h2>{words.priceTitle}</h2>
            <Price call={call} />
          </section>
          <section className="card">
            <h2>{words.facts}</h2>
            <Facts call={call} />
          </section>
        </div>
      </div>
    </>
  )
}

function Price({ call }: { call: CallRecord }) {
  const words = useWords(callPageWords)
  const format = useFormat()
  if (call.call_price === null) return <p className="faint">{call.ended_at ? words.pricing : '–'}</p>
  if (call.call_price === 0) {
    return (
      <>
        <p className="figure">
          <span className="value">{format.money(0)}</span>
        </p>
        <p className="faint small">{words.free}</p>
      </>
    )
  }
  return (
    <>
      <p className="figure">
        <span className="value">{format.money(call.call_price)}</span>
      </p>
      <p className="faint small">
        {words.priceExplained(duration(call.duration), format.price(call.minute_price ?? 0))}
      </p>
    </>
  )
}

function Facts({ call }: { call: CallRecord }) {
  const words = useWords(callPageWords)
  const { causes, type } = useWords(callWords)
  const metadata = Object.entries(call.metadata)
  return (
    <dl className="facts">
      <dt>{words.status}</dt>
      <dd>
        <CallStatus status={call.status} />
      </dd>
      <dt>{words.type}</dt>
      <dd>{type[call.call_type]}</dd>
      <dt>{words.extension}</dt>
      <dd>
        {telephone(call.from)} {call.first_name} {call.last_name}
      </dd>
      <dt>{words.destination}</dt>
      <dd className="number">{telephone(call.to)}</dd>
      <dt>{words.callerId}</dt>
      <dd className="number">{call.BINA ? telephone(call.BINA) : '–'}</dd>
      <dt>{words.cause}</dt>
      <dd>{causes[call.hangup_cause as keyof typeof causes] ?? call.hangup_cause ?? '–'}</dd>
      <dt>{words.id}</dt>
      <dd className="mono">{call.id}</dd>
      <dt>{words.metadata}</dt>
      <dd>
        {metadata.length === 0 ? (
          <span className="faint">{words.noMetadata}</span>
        ) : (
          <code>{JSON.stringify(call.metadata)}</code>
        )}
      </dd>
    </dl>
  )
}
