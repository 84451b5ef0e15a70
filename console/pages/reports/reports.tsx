/** Calls over time, against the time before, by hour of the week, and by extension, user, cause, direction, outcome or day. */
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
  const period = readPeriod(chosen, new Date(), timeZone)
  const apart = aparts.find((one) => one === read('by')) ?? 'extension'
  const overTime = usePeriod(period)
  const previous = usePrevious(period)
  // What comes below is shown once it is known how high this is.
  const isWaiting = overTime.isPending || previous.isPending
  const hasCalls = !isWaiting && overTime.data !== undefined && overTime.data.data.length > 0
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <PeriodChoice period={period} />
        {isWaiting ? (
          <Skeleton lines={10} />
        ) : (
          <Loaded query={overTime}>
            {({ data }) => (
              <>
                <Totals
                  period={period}
                  figures={sum(data)}
                  previous={previous.data && sum(previous.data.data)}
                />
                <p className="faint small">{words.beforeAbout(period.days, period.isCurrent)}</p>
                <OverTime rows={data} period={period} />
              </>
            )}
          </Loaded>
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
            name: moment(at, period.days === 1),
            all: calls,
            part: answered,
          }))}
        />
      )}
    </section>
  )
}

/** `at` is local to the account, without an offset: read as UTC and written as UTC it stays the same. */
function moment(at: string, isHour: boolean): string {
  const date = new Date(`${at}Z`)
  const shape = isHour
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ day: '2-digit', month: '2-digit' } as const)
  return new Intl.DateTimeFormat(locale(), { ...shape, timeZone: 'UTC' }).format(date)
}
