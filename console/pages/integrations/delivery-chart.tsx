/** How the deliveries of a webhook went over time (D621). */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { DeliveryStats } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { SelectField } from '../../parts/forms/field.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Bars } from '../../parts/records/bars.tsx'
import { deliveriesKey } from '../../parts/records/delivery.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.ts'
import { integrationWords } from './words.ts'

export function DeliveryChart({ id }: { id: string }) {
  const words = useWords(integrationWords)
  const { read, set } = useFilters()
  const days = Number(read('days')) || 1
  const stats = useQuery({
    queryKey: [...deliveriesKey, id, 'stats', days],
    queryFn: () => request('GET', '/integrations/{id}/deliveries/stats', { path: { id }, query: { days } }),
    placeholderData: (before) => before,
  })
  return (
    <section className="card stack">
      <div className="row between">
        <h2>{words.overTime}</h2>
        <SelectField
          label={words.period}
          value={String(days)}
          onChange={(event) => set({ days: event.target.value })}
          choices={Object.entries(words.periods).map(([value, name]) => ({ value, name }))}
        />
      </div>
      <Loaded query={stats} lines={3}>
        {(found) => <Chart stats={found} />}
      </Loaded>
    </section>
  )
}

function Chart({ stats: { data, seconds } }: { stats: DeliveryStats }) {
  const words = useWords(integrationWords)
  const format = useFormat()
  const sum = (name: 'delivered' | 'dead' | 'pending') => data.reduce((all, one) => all + one[name], 0)
  const [delivered, dead, pending] = [sum('delivered'), sum('dead'), sum('pending')]
  const slowest = Math.max(0, ...data.map(({ p95Ms }) => p95Ms ?? 0))
  const settled = delivered + dead
  return (
    <>
      <p>
        {words.success(settled === 0 ? '–' : format.percent(delivered / settled))} ·{' '}
        {words.counted(format.count(delivered), format.count(dead), format.count(pending))} ·{' '}
        {words.slowest(format.count(Math.round(slowest)))}
      </p>
      <Bars
        caption={words.overTime}
        names={{ bar: words.when, all: words.sentOrFailed, part: words.arrived, most: words.most }}
        bars={data.map(({ since, delivered: arrived, dead: failed }) => ({
          name: seconds === 3600 ? format.time(since).slice(0, 5) : format.day(since),
          all: arrived + failed,
          part: arrived,
        }))}
      />
    </>
  )
}
