/** Calls by weekday and hour, local to the account, as a table whose cells are darker the more calls they have (D607). */
import './heat-map.css'
import { useFormat } from '../../parts/format.ts'
import { Loaded } from '../../parts/states.tsx'
import { locale, useWords } from '../../words/language.ts'
import type { StatsRow } from './figures.ts'
import type { Period } from './period.ts'
import { useHoursOfWeek } from './report-data.ts'
import { reportWords } from './words.ts'

const weekdays = [1, 2, 3, 4, 5, 6, 7]
const hours = Array.from({ length: 24 }, (_, hour) => hour)
const levels = 4

export function HeatMap({ period }: { period: Period }) {
  const words = useWords(reportWords)
  const query = useHoursOfWeek(period)
  return (
    <section className="card">
      <h2>{words.hours}</h2>
      <Loaded query={query} lines={7}>
        {({ data }) => <Hours rows={data} />}
      </Loaded>
    </section>
  )
}

function Hours({ rows }: { rows: StatsRow[] }) {
  const words = useWords(reportWords)
  const format = useFormat()
  const known = new Map(rows.map(({ at, calls }) => [at, calls]))
  const most = Math.max(0, ...known.values())
  const callsAt = (weekday: number, hour: number) =>
    known.get(`${weekday}T${String(hour).padStart(2, '0')}`) ?? 0
  const busiest = rows.toSorted((one, other) => other.calls - one.calls)[0]
  return (
    <>
      <p className="faint small">
        {busiest ? words.busiest(nameOf(busiest.at), format.count(busiest.calls)) : words.empty}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard. */}
      <section className="table-box" tabIndex={0} aria-label={words.hours}>
        <table className="heat-map">
          <caption className="visually-hidden">{words.hours}</caption>
          <thead>
            <tr>
              <td />
              {hours.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays.map((weekday) => (
              <tr key={weekday}>
                <th scope="row">{weekdayName(weekday)}</th>
                {hours.map((hour) => {
                  const calls = callsAt(weekday, hour)
                  return (
                    <td key={hour} className={`level-${levelOf(calls, most)}`}>
                      {calls === 0 ? '' : format.count(calls)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** 0 without calls, then 1 to 4. */
function levelOf(calls: number, most: number): number {
  return calls === 0 ? 0 : Math.max(1, Math.ceil((calls / most) * levels))
}

/** 1 is Monday: the first of January 2024 was one. */
function weekdayName(weekday: number, style: 'short' | 'long' = 'short'): string {
  const day = new Date(Date.UTC(2024, 0, weekday))
  return new Intl.DateTimeFormat(locale(), { weekday: style, timeZone: 'UTC' }).format(day)
}

/** `1T09` as Monday, 9 h. */
function nameOf(at: string): string {
  const [weekday, hour] = at.split('T')
  return `${weekdayName(Number(weekday), 'long')}, ${Number(hour)} h`
}
