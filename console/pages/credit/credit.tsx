/** Balance, top-up with the payment in place, and the statement. */
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Charge, StatementEntry } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Figure, growth } from '../../parts/records/figure.tsx'
import { daysLeft, useSpending } from '../../parts/records/spending.ts'
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx'
import { type Column, Pager, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { toast } from '../../parts/toasts.tsx'
import { Value } from '../../parts/value.tsx'
import { commonWords } from '../../words/common.ts'
import { language, useWords } from '../../words/language.ts'
import { isOpen, useBalance, useNewestCharge, useStatement } from './credit-data.ts'
import { OpenCharge } from './open-charge.tsx'
import { PriceSearch } from './price-search.tsx'
import { TopUp } from './top-up.tsx'
import { creditWords } from './words.ts'

export default function Credit() {
  const words = useWords(creditWords)
  const charge = useNewestCharge()
  const balance = useBalance()
  const spending = useSpending(true)
  // The rest of the page is shown once the height of the figures and of the charge is known.
  const isWaiting = [charge, balance, spending].some(({ isPending }) => isPending)
  useArrival(charge.data)
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <Figures />
        {isWaiting ? (
          <Skeleton lines={3} />
        ) : (
          <>
            <Loaded query={charge}>
              {(newest) => (newest && isOpen(newest) ? <OpenCharge charge={newest} /> : <TopUp />)}
            </Loaded>
            <PriceSearch />
            <Statement />
          </>
        )}
      </div>
    </Page>
  )
}

/** Says so when the charge that was open is paid while the page is open. */
function useArrival(charge: Charge | null | undefined) {
  const words = useWords(creditWords)
  const format = useFormat()
  const waiting = useRef<number>(undefined)
  useEffect(() => {
    if (!charge) return
    if (isOpen(charge)) waiting.current = charge.id
    else if (waiting.current === charge.id && charge.receivedAt !== null) {
      waiting.current = undefined
      toast(words.arrived(format.money(charge.amount)))
    }
  }, [charge, words, format])
}

function Figures() {
  const words = useWords(creditWords)
  const format = useFormat()
  const { data: balance } = useBalance()
  const { data: spending } = useSpending(true)
  const left = balance && spending && daysLeft(balance.available, spending.week)
  const unknown = '\u00a0'
  return (
    <div className="cards">
      <section className="card figure">
        <h2>{words.available}</h2>
        <Value>{balance ? format.money(balance.available) : unknown}</Value>
        <p className="about">
          {balance ? words.parts(format.money(balance.balance), format.money(balance.reserved)) : unknown}
        </p>
      </section>
      <Figure
        name={words.spent}
        value={spending ? format.money(spending.week) : unknown}
        href="/reports"
        change={spending && growth(spending.before, spending.week, format.change)}
      >
        {spending ? words.spentBefore(format.money(spending.before)) : unknown}
      </Figure>
      <section className="card figure">
        <h2>{words.lasts}</h2>
        <Value>{left === undefined ? '–' : words.days(left)}</Value>
        <p className="about">{words.lastsAbout}</p>
      </section>
    </div>
  )
}

function Statement() {
  const words = useWords(creditWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const { page, setPage } = useFilters()
  const statement = useStatement(page)
  const columns: Column<StatementEntry>[] = [
    { name: words.when, cell: ({ at }) => <span className="number">{format.moment(at)}</span> },
    {
      name: words.what,
      cell: (entry) => <Movement entry={entry} />,
    },
    {
      name: words.value,
      className: 'right',
      cell: ({ amount }) => <span className="number">{format.money(amount)}</span>,
    },
    {
      name: words.after,
      className: 'right',
      cell: ({ balance }) => <span className="number">{format.money(balance)}</span>,
    },
  ]
  return (
    <section className="card flush">
      <div className="row between card-title">
        <h2>{words.statement}</h2>
        <a className="button" href={`/api/v1/credits/statement?format=csv&sheet=${language()}`} download>
          <Icon name="download" />
          {common.exportCsv}
        </a>
      </div>
      <Loaded query={statement}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty icon="credit" title={words.empty} />
          ) : (
            <>
              <Table caption={words.statement} columns={columns} rows={data} keyOf={({ id }) => id} />
              <Pager meta={meta} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** A call is a link to its page; numbers are written as people do. */
function Movement({ entry: { kind, reference, description } }: { entry: StatementEntry }) {
  const words = useWords(creditWords)
  const [, callId] = /^call:(.+)$/.exec(reference) ?? []
  const written = description.replace(/\d{10,15}/g, telephone)
  return (
    <>
      {words.kinds[kind]}
      {description !== words.kinds[kind] && (
        <div className="faint small">
          {callId === undefined ? written : <Link href={`/calls/${callId}`}>{written}</Link>}
        </div>
      )}
    </>
  )
}
