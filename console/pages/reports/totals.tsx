/** The figures of a period, each with what it was in the time before (D607), and a link to its calls (D604). */
import { useFormat } from '../../parts/format.ts'
import { Figure, growth } from '../../parts/records/figure.tsx'
import { useWords } from '../../words/language.ts'
import { type Figures, totalHref } from './figures.ts'
import type { Period } from './period.ts'
import { reportWords } from './words.ts'

type Props = { period: Period; figures: Figures; previous: Figures | undefined }
type Shown = {
  total: keyof Figures
  about: string
  value: string
  before: string | undefined
  change: string | undefined
}

export function Totals({ period, figures, previous }: Props) {
  const words = useWords(reportWords)
  return (
    <div className="cards">
      {useShown(figures, previous).map(({ total, about, value, before, change }) => (
        <Figure key={total} name={about} value={value} href={totalHref(total, period)} change={change}>
          {/* As high as it will be. */}
          {before === undefined ? '\u00a0' : words.before(before)}
        </Figure>
      ))}
    </div>
  )
}

function useShown(figures: Figures, previous: Figures | undefined): Shown[] {
  const words = useWords(reportWords)
  const format = useFormat()
  const minutesOf = ({ seconds }: Figures) => Math.round(seconds / 60)
  const rateOf = ({ calls, answered }: Figures) => (calls === 0 ? undefined : answered / calls)
  const rateText = (rate: number | undefined) => (rate === undefined ? '–' : format.percent(rate))
  const compare = (
    total: keyof Figures,
    about: string,
    of: (one: Figures) => number,
    text: (value: number) => string,
  ): Shown => ({
    total,
    about,
    value: text(of(figures)),
    before: previous && text(of(previous)),
    change: previous && growth(of(previous), of(figures), format.change),
  })
  const rates = { now: rateOf(figures), before: previous && rateOf(previous) }
  return [
    compare('calls', words.calls, ({ calls }) => calls, format.count),
    {
      total: 'answered',
      about: words.rate,
      value: rateText(rates.now),
      before: previous && rateText(rates.before),
      change:
        rates.now === undefined || rates.before === undefined
          ? undefined
          : format.points(rates.now - rates.before),
    },
    compare('seconds', words.minutes, minutesOf, format.count),
    compare('cost', words.cost, ({ cost }) => cost, format.money),
  ]
}
