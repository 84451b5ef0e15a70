/** Calls and money of the account, the newest first. */
import { useState } from 'react'
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { creditWords } from '../../pages/credit/words.ts'
import { duration, useFormat } from '../../parts/format.ts'
import { CallStatus, CallType } from '../../parts/records/status.tsx'
import { None } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { SipLink } from '../sip-link.tsx'
import { Refund } from './money.tsx'
import { Section } from './section.tsx'
import { accountWords } from './words.ts'

type Rows<Name extends 'calls' | 'charges' | 'entries'> = { rows: OperatorAccountPage[Name] }

export function Calls({ title, rows }: Rows<'calls'> & { title: string }) {
  const words = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  return (
    <Section
      title={title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: words.when, className: 'number', cell: ({ startedAt }) => format.exact(startedAt) },
        {
          name: words.from,
          className: 'number',
          cell: ({ type, from }) => (
            <>
              <CallType type={type} /> {telephone(from)}
            </>
          ),
        },
        { name: words.to, className: 'number', cell: ({ to }) => telephone(to) },
        { name: common.status, cell: ({ status }) => <CallStatus status={status} /> },
        {
          name: words.duration,
          className: 'right number hide-narrow',
          cell: (call) => (call.duration === 0 ? <None /> : duration(call.duration)),
        },
        {
          name: words.price,
          className: 'right number',
          cell: ({ price }) => (price === null ? <None /> : format.money(price)),
        },
        {
          name: common.actions,
          hideName: true,
          className: 'narrow',
          cell: (call) => <SipLink call={call} />,
        },
      ]}
    />
  )
}

const chargeTones: Record<string, string> = {
  PENDING: 'warn',
  OVERDUE: 'bad',
  CONFIRMED: 'good',
  RECEIVED: 'good',
}

/** Paid, and not refunded. */
const refundable = ['CONFIRMED', 'RECEIVED']

export function Charges({ rows, domain }: Rows<'charges'> & { domain: string }) {
  const words = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const [refunding, setRefunding] = useState<OperatorAccountPage['charges'][number]>()
  return (
    <>
      <Section
        title={words.charges}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: words.charge, className: 'number', cell: ({ id }) => <strong>{id}</strong> },
          { name: words.when, className: 'number', cell: ({ createdAt }) => format.moment(createdAt) },
          {
            name: common.status,
            cell: ({ status }) => (
              <span className={`badge ${chargeTones[status] ?? ''}`}>
                {words.chargeStatuses[status] ?? status}
              </span>
            ),
          },
          { name: words.value, className: 'right number', cell: ({ amount }) => format.money(amount) },
          {
            name: words.paidAt,
            className: 'number hide-narrow',
            cell: ({ paidAt }) => (paidAt ? format.moment(paidAt) : '–'),
          },
          {
            name: common.actions,
            hideName: true,
            className: 'narrow',
            cell: (charge) =>
              refundable.includes(charge.status) && (
                <button
                  type="button"
                  className="button small"
                  aria-label={words.refundTitle(String(charge.id))}
                  onClick={() => setRefunding(charge)}
                >
                  {words.refund}
                </button>
              ),
          },
        ]}
      />
      {refunding && <Refund domain={domain} charge={refunding} onClose={() => setRefunding(undefined)} />}
    </>
  )
}

export function Entries({ rows }: Rows<'entries'>) {
  const words = useWords(accountWords)
  const { kinds } = useWords(creditWords)
  const format = useFormat()
  return (
    <Section
      title={words.entries}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: words.when, className: 'number', cell: ({ at }) => format.exact(at) },
        {
          name: words.what,
          cell: ({ kind, description }) => (
            <>
              <strong>{kinds[kind]}</strong>
              <div className="faint small">{description}</div>
            </>
          ),
        },
        { name: words.value, className: 'right number', cell: ({ amount }) => format.money(amount) },
        {
          name: words.after,
          className: 'right number hide-narrow',
          cell: ({ balance }) => format.money(balance),
        },
      ]}
    />
  )
}
