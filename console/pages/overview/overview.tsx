/** The daily question on one page: credit, today, what is wrong, what to do next. */
import { Link } from 'wouter'
import { useLive } from '../../live.ts'
import { useExtensions } from '../../own-extension.ts'
import { useFormat } from '../../parts/format.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Figure, growth } from '../../parts/records/figure.tsx'
import { RecentCall } from '../../parts/records/recent-call.tsx'
import { daysLeft, useSpending } from '../../parts/records/spending.ts'
import { Loaded, Skeleton } from '../../parts/states.tsx'
import { useIsAdmin, useSignedIn } from '../../session.ts'
import { useWords } from '../../words/language.ts'
import { useToday } from './figures.ts'
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
        <div className="card flush">
          <Skeleton lines={8} />
        </div>
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

const none = { total: 0, answered: 0 }

const rateOf = ({ total, answered }: typeof none) => (total === 0 ? undefined : answered / total)

function Figures() {
  const words = useWords(overviewWords)
  const format = useFormat()
  const isAdmin = useIsAdmin()
  const { balance } = useSignedIn()
  const today = useToday(format.timeZone)
  const spending = useSpending(isAdmin)
  const { calls, phones } = useLive()
  const { now, before } = today.data ?? { now: none, before: none }
  const rate = rateOf(now)
  const rateBefore = rateOf(before)
  const left = spending.data && daysLeft(balance?.available ?? 0, spending.data.week)
  return (
    <div className="cards">
      {isAdmin && balance && (
        <Figure name={words.balance} value={format.money(balance.available)} href="/credit">
          {spending.isSuccess ? (left === undefined ? words.noSpend : words.lasts(left)) : '\u00a0'}
        </Figure>
      )}
      <Figure
        name={words.today}
        value={format.count(now.total)}
        href="/calls?period=today"
        change={growth(before.total, now.total, format.change)}
      >
        {words.against(format.count(before.total))}
      </Figure>
      <Figure
        name={words.rate}
        value={rate === undefined ? '–' : format.percent(rate)}
        href="/calls?period=today"
        change={rate === undefined || rateBefore === undefined ? undefined : format.points(rate - rateBefore)}
      >
        {words.rateAbout(format.count(now.answered))}
      </Figure>
      <Figure name={words.live} value={format.count(calls.length)} href="/live">
        {words.liveAbout(phones.length)}
      </Figure>
    </div>
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
