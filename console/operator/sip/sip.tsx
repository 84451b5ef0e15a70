/** The SIP messages of a call, for three days after its end (D660). */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { NotFoundError } from '../../../clients/typescript/src/errors.ts'
import type { OperatorCall } from '../../../src/contract/operator-calls.ts'
import type { OperatorSipTrace } from '../../../src/contract/operator-sip-trace.ts'
import { sentenceOf } from '../../api.ts'
import { useFormat } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { CallStatus, CallType } from '../../parts/records/status.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { telephone } from '../../parts/telephone.ts'
import { commonWords } from '../../words/common.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { accountWords } from '../account/words.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { buildLadder } from './ladder.ts'
import { LadderList } from './ladder-list.tsx'
import { afterText } from './names.ts'
import { sipWords } from './words.ts'

const refreshMs = 3_000
/** Messages are stored some seconds after the end of the call. */
const storingMs = 30_000

/** `absent`: the sentence of the service that says why there are no messages. */
type Trace = { found: OperatorSipTrace } | { absent: string }

export default function SipMessages({ params: { id } }: { params: { id: string } }) {
  const words = useWords(sipWords)
  const call = useCall(id)
  const trace = useTrace(id, call.data)
  return (
    <Page
      title={words.title}
      about={<Link href="/calls">{words.back}</Link>}
      actions={trace.data && 'found' in trace.data && <DownloadLink id={id} />}
    >
      <div className="stack">
        {call.data && !trace.isPending && <Facts call={call.data} />}
        <Loaded query={trace} lines={12}>
          {(read) =>
            'found' in read ? (
              <Messages trace={read.found} />
            ) : (
              <div className="card">
                <Empty icon="search" title={words.empty}>
                  <p>{read.absent}</p>
                </Empty>
              </div>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

function useCall(id: string): UseQueryResult<OperatorCall> {
  return useQuery({
    queryKey: ['operator', 'call', id],
    queryFn: () => operate<OperatorCall>('GET', `/calls/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? refreshMs : false),
  })
}

/** Until there are messages it is read again, as long as some may come. */
function useTrace(id: string, call: OperatorCall | undefined): UseQueryResult<Trace> {
  return useQuery({
    queryKey: ['operator', 'sip', id, useLanguage()],
    queryFn: () => readTrace(id),
    refetchInterval: ({ state }) =>
      call && mayCome(call) && state.data && 'absent' in state.data ? refreshMs : false,
  })
}

const mayCome = ({ endedAt }: OperatorCall) =>
  endedAt === null || Date.now() - Date.parse(endedAt) < storingMs

async function readTrace(id: string): Promise<Trace> {
  try {
    return { found: await operate<OperatorSipTrace>('GET', `/calls/${encodeURIComponent(id)}/sip`) }
  } catch (error) {
    if (error instanceof NotFoundError) return { absent: sentenceOf(error) }
    throw error
  }
}

function DownloadLink({ id }: { id: string }) {
  const words = useWords(sipWords)
  return (
    <a className="button" href={`/operator/api/calls/${encodeURIComponent(id)}/sip.pcap`} download>
      <Icon name="download" />
      {words.download}
    </a>
  )
}

function Messages({ trace: { messages, leftOut } }: { trace: OperatorSipTrace }) {
  const words = useWords(sipWords)
  const format = useFormat()
  const ladder = useMemo(() => buildLadder(messages), [messages])
  const shown = format.count(ladder.steps.length)
  return (
    <>
      <p className="faint" role="status">
        {words.summary(shown, afterText(messages.at(-1)?.afterMs ?? 0))} {words.keys}
      </p>
      {leftOut > 0 && <Notice tone="warn">{words.leftOut(format.count(leftOut))}</Notice>}
      <LadderList ladder={ladder} />
    </>
  )
}

function Facts({ call: { id, domain, type, status, from, to, startedAt } }: { call: OperatorCall }) {
  const words = useWords(sipWords)
  const account = useWords(accountWords)
  const common = useWords(commonWords)
  const operator = useWords(operatorWords)
  const format = useFormat()
  return (
    <section className="card">
      <dl className="facts">
        <dt>{words.call}</dt>
        <dd className="number">
          <CallType type={type} /> {telephone(from)} – {telephone(to)}
        </dd>
        <dt>{common.status}</dt>
        <dd>
          <CallStatus status={status} />
        </dd>
        <dt>{account.when}</dt>
        <dd className="number">{format.exact(startedAt)}</dd>
        <dt>{operator.account}</dt>
        <dd>
          <Link href={`/accounts/${domain}`}>{domain}</Link>
        </dd>
        <dt>id</dt>
        <dd className="mono">{id}</dd>
      </dl>
    </section>
  )
}
