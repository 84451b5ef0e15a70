/** The daily question on one page: credit, today, what is wrong, what to do next. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useLive } from '../../live.ts'
import { useExtensions } from '../../own-extension.ts'
import { useFormat } from '../../parts/format.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { RecentCall } from '../../parts/records/recent-call.tsx'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { Value } from '../../parts/value.tsx'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { useDaysLeft, useToday } from './figures.ts'
import { FirstSteps } from './first-steps.tsx'
import { useAccountSettings, useFirstCharges, useIntegrations, useLatestCalls } from './overview-data.ts'
import { Problems } from './problems.tsx'
import { overviewWords } from './words.ts'

export default function Overview() {
  const words = useWords(overviewWords)
  const { user, account, features } = useSignedIn()
  // All parts appear at once: none moves when another is known.
  const isKnown = useIsKnown()
  // Until the person enters a name, it is that of the company.
  const name = user.name === account.name ? undefined : user.name.split(' ')[0]
  return (
    <Page title={words.title(name)} about={words.about(account.name)}>
      {features.sandboxCarrier && <Notice>{words.sandbox}</Notice>}
      <Figures />
      {isKnown ? (
        <>
          <Problems />
          <FirstSteps />
          <Recent />
        </>
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}

/** Whether everything is known that decides which parts there are. */
function useIsKnown(): boolean {
  const isAdmin = useIsAdmin()
  const known = [useExtensions(), useLatestCalls(), useIntegrations(), useFirstCharges(isAdmin)]
  const settings = useAccountSettings(isAdmin)
  return [...known, settings].every(({ isPending, fetchStatus }) => !isPending || fetchStatus === 'idle')
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
  const calls = useLatestCalls()
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
