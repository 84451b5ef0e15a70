/** Calls by weekday and hour, local to the account, as a table whose cells are darker the more calls they have (D607). */
import './heat-map.css'
import { memo, type ReactNode, useDeferredValue, useSyncExternalStore } from 'react'
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
  // D670: after the click that asked for it.
  const found = useDeferredValue(query.data)
  const isNarrow = useIsNarrow()
  return (
    <section className="card">
      <h2>{words.hours}</h2>
      {/* As high as the table will be: the days are its rows, or the hours. */}
      <Loaded query={query} lines={isNarrow ? 17 : 6}>
        {(data) => <Hours rows={(found ?? data).rows} />}
      </Loaded>
    </section>
  )
}

const Hours = memo(function Hours({ rows }: { rows: StatsRow[] }) {
  const words = useWords(reportWords)
  const format = useFormat()
  const isNarrow = useIsNarrow()
  const known = new Map(rows.map(({ at, calls }) => [at, calls]))
  const most = Math.max(0, ...known.values())
  const busiest = rows.toSorted((one, other) => other.calls - one.calls)[0]
  const cell = (weekday: number, hour: number) => {
    const calls = known.get(`${weekday}T${String(hour).padStart(2, '0')}`) ?? 0
    return (
      <td key={`${weekday}T${hour}`} className={`level-${levelOf(calls, most)}`}>
        {calls === 0 ? '' : format.count(calls)}
      </td>
    )
  }
  const days = weekdays.map((weekday) => ({ key: weekday, name: weekdayName(weekday) }))
  const times = hours.map((hour) => ({ key: hour, name: String(hour) }))
  return (
    <>
      <p className="faint small">
        {busiest ? words.busiest(nameOf(busiest.at), format.count(busiest.calls)) : words.empty}
      </p>
      {isNarrow ? (
        <Grid
          caption={words.hours}
          rows={times}
          columns={days}
          cell={(hour, weekday) => cell(weekday, hour)}
        />
      ) : (
        <Grid caption={words.hours} rows={days} columns={times} cell={cell} />
      )}
    </>
  )
})

type Line = { key: number; name: string }
type GridProps = {
  caption: string
  rows: Line[]
  columns: Line[]
  cell: (row: number, column: number) => ReactNode
}

function Grid({ caption, rows, columns, cell }: GridProps) {
  return (
    <table className="heat-map">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <td />
          {columns.map(({ key, name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.name}</th>
            {columns.map((column) => cell(row.key, column.key))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Twenty-four columns do not fit: hours are rows then. */
const narrow = window.matchMedia('(max-width: 75rem)')

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      narrow.addEventListener('change', onChange)
      return () => narrow.removeEventListener('change', onChange)
    },
    () => narrow.matches,
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
