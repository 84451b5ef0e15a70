/** How the deliveries of a webhook went over time (D621). */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { DeliveryStats } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Bars } from '../../parts/records/bars.tsx'
import { deliveriesKey } from '../../parts/records/delivery.tsx'
import { FigureSkeletons } from '../../parts/skeletons.tsx'
import { Loaded } from '../../parts/states.tsx'
import { Value } from '../../parts/value.tsx'
import { useWords } from '../../words/language.ts'
import { integrationWords } from './words.ts'

function useStats(id: string) {
  const { read } = useFilters()
  const days = Number(read('days')) || 1
  return useQuery({
    queryKey: [...deliveriesKey, id, 'stats', days],
    queryFn: () => request('GET', '/integrations/{id}/deliveries/stats', { path: { id }, query: { days } }),
    placeholderData: (before) => before,
  })
}

/** Results of the deliveries of the period. */
export function DeliveryFigures({ id }: { id: string }) {
  const stats = useStats(id)
  return (
    <Loaded query={stats} skeleton={<FigureSkeletons count={4} />}>
      {(found) => <Figures stats={found} />}
    </Loaded>
  )
}

function Figures({ stats: { data } }: { stats: DeliveryStats }) {
  const words = useWords(integrationWords)
  const format = useFormat()
  const sum = (name: 'delivered' | 'dead' | 'pending') => data.reduce((all, one) => all + one[name], 0)
  const [delivered, dead, pending] = [sum('delivered'), sum('dead'), sum('pending')]
  const slowest = Math.max(0, ...data.map(({ p95Ms }) => p95Ms ?? 0))
  const settled = delivered + dead
  const figures = [
    {
      name: words.success,
      value: settled === 0 ? '–' : format.percent(delivered / settled),
      about: words.ofSettled,
    },
    { name: words.delivered, value: format.count(delivered), about: words.queued(format.count(pending)) },
    { name: words.failed, value: format.count(dead), about: words.afterAttempts, isBad: dead > 0 },
    {
      name: words.responseTime,
      value: delivered === 0 ? '–' : `${format.count(Math.round(slowest))} ms`,
      about: words.ninetyFive,
    },
  ]
  return (
    <div className="cards">
      {figures.map(({ name, value, about, isBad }) => (
        <section key={name} className={isBad ? 'card figure bad' : 'card figure'}>
          <h2>{name}</h2>
          <Value>{value}</Value>
          <p className="about">{about}</p>
        </section>
      ))}
    </div>
  )
}

export function DeliveryChart({ id }: { id: string }) {
  const words = useWords(integrationWords)
  const { read, set } = useFilters()
  const stats = useStats(id)
  return (
    <section className="card stack">
      <div className="row between">
        <h2>{words.overTime}</h2>
        <Choice
          name={words.period}
          chosen={read('days') || '1'}
          onChoose={(days) => set({ days })}
          choices={Object.entries(words.periods).map(([value, name]) => ({ value, name }))}
        />
      </div>
      <Loaded query={stats} lines={5}>
        {(found) => <Chart stats={found} />}
      </Loaded>
    </section>
  )
}

function Chart({ stats: { data, seconds } }: { stats: DeliveryStats }) {
  const words = useWords(integrationWords)
  const format = useFormat()
  return (
    <Bars
      caption={words.overTime}
      names={{ bar: words.when, all: words.sentOrFailed, part: words.arrived, most: words.most }}
      bars={data.map(({ since, delivered: arrived, dead: failed }) => ({
        name: seconds === 3600 ? format.time(since).slice(0, 5) : format.day(since),
        all: arrived + failed,
        part: arrived,
      }))}
    />
  )
}
