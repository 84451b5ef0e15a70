/** Calls over time, against the time before, by hour of the week, and by extension, user, cause, direction, outcome or day. */
import { memo, useDeferredValue, useMemo } from 'react'
import { useFormat } from '../../parts/format.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { Bars } from '../../parts/records/bars.tsx'
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx'
import { locale, useWords } from '../../words/language.ts'
import { type StatsRow, sum, withoutGaps } from './figures.ts'
import { aparts, Groups } from './groups.tsx'
import { HeatMap } from './heat-map.tsx'
import { MonthlyMail } from './monthly-mail.tsx'
import { hasHours, lastDays, type Period, readPeriod } from './period.ts'
import { usePeriod, usePrevious } from './report-data.ts'
import { Totals } from './totals.tsx'
import { reportWords } from './words.ts'

export default function Reports() {
  const words = useWords(reportWords)
  const { read, set } = useFilters()
  const { timeZone } = useFormat()
  const chosen = { days: read('days'), since: read('since'), until: read('until') }
  const wanted = readPeriod(chosen, new Date(), timeZone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same until another is chosen.
  const period = useMemo(() => wanted, [wanted.key])
  const apart = aparts.find((one) => one === read('by')) ?? 'extension'
  const overTime = usePeriod(period)
  const previous = usePrevious(period)
  // D670: the click that asks for a period is answered before its figures are drawn.
  const found = useDeferredValue(overTime.data)
  const before = useDeferredValue(previous.data)
  // What comes below is shown once it is known how high this is.
  const isWaiting = overTime.isPending || previous.isPending || (overTime.isSuccess && !found)
  const hasCalls = !isWaiting && found !== undefined && found.rows.length > 0
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <PeriodChoice period={period} />
        {isWaiting ? (
          <Skeleton lines={10} />
        ) : (
          <Loaded query={overTime}>{(data) => <Figures found={found ?? data} before={before} />}</Loaded>
        )}
        {hasCalls && hasHours(period) && <HeatMap period={period} />}
        {hasCalls && (
          <>
            <Choice
              name={words.by}
              choices={aparts.map((one) => ({ value: one, name: words.groups[one] }))}
              chosen={apart}
              onChoose={(value) => set({ by: value })}
            />
            <Groups key={apart} period={period} apart={apart} />
          </>
        )}
        {!isWaiting && <MonthlyMail />}
      </div>
    </Page>
  )
}

type Found = { period: Period; rows: StatsRow[] }

const Figures = memo(function Figures({ found, before }: { found: Found; before: Found | undefined }) {
  const words = useWords(reportWords)
  const { period, rows } = found
  const previous = before?.period.key === period.key ? sum(before.rows) : undefined
  return (
    <>
      <Totals period={period} figures={sum(rows)} previous={previous} />
      <p className="faint small">{words.beforeAbout(period.days, period.isCurrent)}</p>
      <OverTime rows={rows} period={period} />
    </>
  )
})

function PeriodChoice({ period }: { period: Period }) {
  const words = useWords(reportWords)
  const { read, set } = useFilters()
  return (
    <div className="row">
      <Choice
        name={words.period}
        choices={lastDays.map((one) => ({ value: String(one), name: words.periods[one] ?? '' }))}
        chosen={period.isCurrent ? String(period.days) : ''}
        onChoose={(value) => set({ days: value, since: '', until: '' })}
      />
      <details open={!period.isCurrent}>
        <summary>{words.otherDates}</summary>
        <div className="row">
          <Field
            label={words.since}
            type="date"
            value={read('since')}
            onChange={({ target }) => set({ since: target.value })}
          />
          <Field
            label={words.until}
            type="date"
            value={read('until')}
            onChange={({ target }) => set({ until: target.value })}
          />
        </div>
      </details>
    </div>
  )
}

function OverTime({ rows, period }: { rows: StatsRow[]; period: Period }) {
  const words = useWords(reportWords)
  const moment = momentOf(period.days === 1)
  return (
    <section className="card">
      <h2>{words.overTime}</h2>
      {rows.length === 0 ? (
        <Empty icon="reports" title={words.empty}>
          <p>{words.emptyAbout}</p>
        </Empty>
      ) : (
        <Bars
          caption={words.overTime}
          names={{ bar: words.when, all: words.calls, part: words.answered, most: words.most }}
          bars={withoutGaps(rows, period).map(({ at, calls, answered }) => ({
            name: moment(at),
            all: calls,
            part: answered,
          }))}
        />
      )}
    </section>
  )
}

/** `at` is local to the account, without an offset: read as UTC and written as UTC it stays the same. */
function momentOf(isHour: boolean): (at: string) => string {
  const shape = isHour
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ day: '2-digit', month: '2-digit' } as const)
  const format = new Intl.DateTimeFormat(locale(), { ...shape, timeZone: 'UTC' })
  return (at) => format.format(new Date(`${at}Z`))
}
