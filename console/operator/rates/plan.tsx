/** The changes that an import would make, and its wrong lines. */
import type { OperatorPlanLine, OperatorRatePlan } from '../../../src/contract/operator-rates.ts'
import { useFormat } from '../../parts/format.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../words.ts'
import { rateWords } from './words.ts'

/** The rest is counted alone. */
const maxShown = 100

const tones: Record<OperatorPlanLine['kind'], string> = { new: 'good', changed: 'warn', gone: 'bad' }

export function PlanTable({ lines }: { lines: OperatorPlanLine[] }) {
  const words = useWords(operatorWords)
  const own = useWords(rateWords)
  const format = useFormat()
  const columns: Column<OperatorPlanLine>[] = [
    {
      name: own.kind,
      cell: ({ kind }) => <span className={`badge ${tones[kind]}`}>{own.kinds[kind]}</span>,
    },
    { name: words.prefix, cell: ({ prefix }) => <strong className="number">+{prefix}</strong> },
    { name: words.destination, cell: ({ before, after }) => (after ?? before)?.name },
    {
      name: words.account,
      className: 'hide-narrow',
      cell: ({ domain }) => (domain === '' ? <span className="faint">{words.everyAccount}</span> : domain),
    },
    {
      name: own.before,
      className: 'right number',
      cell: ({ before }) => (before ? format.price(before.minutePrice) : '–'),
    },
    {
      name: own.after,
      className: 'right number',
      cell: ({ after }) => (after ? format.price(after.minutePrice) : '–'),
    },
    {
      name: words.valid,
      className: 'number hide-narrow',
      cell: ({ after }) =>
        after &&
        (after.until ? `${format.day(after.from)} – ${format.day(after.until)}` : format.day(after.from)),
    },
  ]
  return (
    <Table
      caption={own.preview}
      columns={columns}
      rows={lines.slice(0, maxShown)}
      keyOf={({ kind, domain, prefix, before, after }) =>
        `${kind} ${domain} ${prefix} ${before?.from} ${after?.from}`
      }
    />
  )
}

export function ProblemList({ problems }: { problems: OperatorRatePlan['problems'] }) {
  const own = useWords(rateWords)
  return (
    <section aria-label={own.problems}>
      <h3>{own.problems}</h3>
      <ul>
        {problems.slice(0, maxShown).map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            {line !== undefined && <strong>{own.line(line)}: </strong>}
            {message}
          </li>
        ))}
      </ul>
    </section>
  )
}
