/**
 * D608: what happens now, for a screen on the wall: large figures without controls. Letters grow with the screen; at 1920
 * pixels they can be read from five metres on a television of 55 inches.
 */
import './wall.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import { useLive } from '../../live.ts'
import { useMissed } from '../../missed.ts'
import { useExtensions } from '../../own-extension.ts'
import { startOfDay } from '../../parts/days.ts'
import { duration, useFormat } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { conversationsOf } from '../../parts/records/conversations.ts'
import { useSignedIn } from '../../session.ts'
import { locale, useWords } from '../../words/language.ts'
import { useNow } from './use-now.ts'
import { liveWords } from './words.ts'

/** Letters of a value that fit at full size. */
const shortLength = 4

export default function Wall() {
  const words = useWords(liveWords)
  const { account } = useSignedIn()
  return (
    <div className="wall">
      <Exits />
      <Page title={account.name} actions={<Clock />}>
        <dl>
          {useFigures().map(({ name, value, tone }) => (
            <div key={name} className={tone}>
              <dt>{name}</dt>
              <dd className={value && value.length > shortLength ? 'long' : undefined}>
                {value ?? words.unknown}
              </dd>
            </div>
          ))}
        </dl>
      </Page>
    </div>
  )
}

/** For the keyboard alone: shown while they have the focus. */
function Exits() {
  const words = useWords(liveWords)
  return (
    <>
      <Link className="skip" href="/live">
        {words.leaveWall}
      </Link>
      <button
        type="button"
        className="skip"
        onClick={() => void document.documentElement.requestFullscreen().catch(() => {})}
      >
        {words.fullScreen}
      </button>
    </>
  )
}

function Clock() {
  const { timeZone } = useFormat()
  const shown = new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', timeZone })
  return <span className="clock">{shown.format(useNow())}</span>
}

type Figure = { name: string; value: string | undefined; tone?: string | undefined }

function useFigures(): Figure[] {
  const words = useWords(liveWords)
  const format = useFormat()
  const now = useNow()
  const { calls, isConnected } = useLive()
  const { data: extensions } = useExtensions()
  const missed = useMissed()
  const today = useToday(format.timeZone)
  const live = (value: string) => (isConnected ? value : undefined)
  const conversations = conversationsOf(calls)
  const talking = conversations.flatMap(({ call: { answered_at } }) =>
    answered_at === null ? [] : [Date.parse(answered_at)],
  )
  const longest = talking.length === 0 ? '–' : duration((now - Math.min(...talking)) / 1000)
  const online = extensions?.filter(({ registered }) => registered).length ?? 0
  const open = missed.data?.open
  const rate = today && (today.calls === 0 ? '–' : format.percent(today.answered / today.calls))
  return [
    { name: words.talking, value: live(format.count(talking.length)) },
    { name: words.ringing, value: live(format.count(conversations.length - talking.length)) },
    { name: words.longest, value: live(longest) },
    {
      name: words.phonesOnline,
      value: extensions && `${format.count(online)}/${format.count(extensions.length)}`,
    },
    { name: words.callsToday, value: today && format.count(today.calls) },
    { name: words.rateToday, value: rate },
    {
      name: words.missed,
      value: open === undefined ? undefined : format.count(open),
      tone: open ? 'bad' : undefined,
    },
  ]
}

/** Read again when a call ends; and every minute, for the midnight that passes. */
function useToday(timeZone: string) {
  const { data } = useQuery({
    queryKey: ['stats', 'wall'],
    refetchInterval: 60_000,
    async queryFn() {
      const now = new Date()
      const query = { from: startOfDay(now, timeZone, 0).toISOString(), to: now.toISOString() }
      const stats = await request('GET', '/calls/stats', { query })
      return stats.data.reduce(
        (sum, { calls, answered }) => ({ calls: sum.calls + calls, answered: sum.answered + answered }),
        { calls: 0, answered: 0 },
      )
    },
  })
  return data
}
