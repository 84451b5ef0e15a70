/** The daily question on one page: credit, today, what is wrong, what to do next. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { client, must } from '../../api.ts'
import { useLive } from '../../live.ts'
import { useFormat } from '../../parts/format.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { RecentCall } from '../../parts/records/recent-call.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Value } from '../../parts/value.tsx'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { useDaysLeft, useToday } from './figures.ts'
import { FirstSteps } from './first-steps.tsx'
import { Problems } from './problems.tsx'
import { overviewWords } from './words.ts'

export default function Overview() {
  const words = useWords(overviewWords)
  const { user, account, features } = useSignedIn()
  // Until the person enters a name, it is that of the company.
  const name = user.name === account.name ? undefined : user.name.split(' ')[0]
  return (
    <Page title={words.title(name)} about={words.about(account.name)}>
      {features.sandboxCarrier && <Notice>{words.sandbox}</Notice>}
      <Figures />
      <Problems />
      <FirstSteps />
      <Recent />
    </Page>
  )
}

function Figures() {
  const words = useWords(overviewWords)
  const format = useFormat()
  const isAdmin = useIsAdmin()
  const { balance } = useSignedIn()
  const today = useToday(format.timeZone)
  const left = useDaysLeft(balance?.available)
  const { calls, phones } = useLive()
  const { total = 0, answered = 0, before = 0 } = today.data ?? {}
  const lasting = left.data === undefined || left.data === null ? words.noSpend : words.lasts(left.data)
  return (
    <div className="cards">
      {isAdmin && balance && (
        <Figure name={words.balance} value={format.money(balance.available)} href="/credit">
          {left.isSuccess ? lasting : '\u00a0'}
        </Figure>
      )}
      <Figure name={words.today} value={format.count(total)} href="/calls?period=today">
        {words.against(format.count(before))}
      </Figure>
      <Figure
        name={words.rate}
        value={total === 0 ? '–' : format.percent(answered / total)}
        href="/calls?period=today"
      >
        {words.rateAbout(format.count(answered))}
      </Figure>
      <Figure name={words.live} value={format.count(calls.length)} href="/live">
        {words.liveAbout(phones.length)}
      </Figure>
    </div>
  )
}

function Figure({
  name,
  value,
  href,
  children,
}: {
  name: string
  value: string
  href: string
  children: ReactNode
}) {
  return (
    <Link href={href} className="card figure">
      <h2>{name}</h2>
      <Value>{value}</Value>
      <p className="about">{children}</p>
    </Link>
  )
}

function Recent() {
  const words = useWords(overviewWords)
  const filter = JSON.stringify({ limit: 6 })
  const calls = useQuery({
    queryKey: ['calls', 'latest'],
    queryFn: () => must(client.GET('/calls', { params: { query: { page: 1, filter } } })),
  })
  return (
    <section className="card">
      <div className="row between">
        <h2>{words.recent}</h2>
        <Link href="/calls">{words.all}</Link>
      </div>
      <Loaded query={calls} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="faint">{words.none}</p>
          ) : (
            <ul className="recent">
              {data.map((call) => (
                <RecentCall key={call.id} call={call} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
