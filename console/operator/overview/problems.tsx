/** Problems of now and of the last day: the same problem of the same place is one row. */
import { Link } from 'wouter'
import type { OperatorProblem } from '../../../src/contract/operator.ts'
import { useFormat } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Empty } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { explainFailure } from '../../words/failures.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { explainTrunk } from '../trunks/problem.ts'
import { operatorWords } from '../words.ts'

type Kind = OperatorProblem['kind']

const present: Kind[] = ['node-lost', 'clock', 'trunk']
const tones: Partial<Record<Kind, string>> = {
  'node-lost': 'bad',
  trunk: 'bad',
  clock: 'warn',
  alert: 'warn',
  webhook: 'warn',
  'mail-given-up': 'warn',
}

export function Attention({ problems }: { problems: OperatorProblem[] }) {
  const words = useWords(operatorWords)
  const text = useText()
  const now = problems.filter(({ kind }) => present.includes(kind))
  if (now.length === 0) return <Notice tone="good">{words.allWell}</Notice>
  return (
    <section className="card">
      <h2>{words.attention}</h2>
      <ul className="problems">
        {now.map((problem) => (
          <li key={`${problem.kind} ${placeOf(problem)} ${problem.detail}`}>
            <Icon name="warning" />
            <span>
              <strong>{words.kinds[problem.kind]}</strong> {placeOf(problem)}: {text(problem)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Row = { problem: OperatorProblem; count: number; key: string }

export function Past({ problems }: { problems: OperatorProblem[] }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  const text = useText()
  const columns: Column<Row>[] = [
    { name: words.when, className: 'number', cell: ({ problem }) => format.moment(problem.at) },
    {
      name: words.problem,
      className: 'number',
      cell: ({ problem: { kind }, count }) => (
        <>
          <span className={`badge ${tones[kind] ?? ''}`}>{words.kinds[kind]}</span>
          {count > 1 && <span className="faint small"> {words.times(format.count(count))}</span>}
        </>
      ),
    },
    { name: words.about, cell: ({ problem }) => <Place problem={problem} /> },
    { name: words.whatHappened, className: 'breaks', cell: ({ problem }) => text(problem) },
  ]
  const rows = merge(problems.filter(({ kind }) => !present.includes(kind)))
  return (
    <section className="card flush">
      <h2 className="card-title">{words.problems}</h2>
      {rows.length === 0 ? (
        <Empty icon="check" title={words.noProblems} />
      ) : (
        <Table caption={words.problems} columns={columns} rows={rows} keyOf={({ key }) => key} />
      )}
    </section>
  )
}

function Place({ problem }: { problem: OperatorProblem }) {
  if ('domain' in problem) return <Link href={`/accounts/${problem.domain}`}>{problem.domain}</Link>
  return placeOf(problem)
}

function placeOf(problem: OperatorProblem): string {
  if ('domain' in problem) return problem.domain
  if ('recipient' in problem) return problem.recipient
  return 'node' in problem ? problem.node : ''
}

/** The newest of each, with how many there were. */
function merge(problems: OperatorProblem[]): Row[] {
  const rows = new Map<string, Row>()
  for (const problem of problems) {
    const rule = problem.kind === 'alert' ? problem.rule : ''
    const key = [problem.kind, placeOf(problem), rule, problem.detail].join('\n')
    const known = rows.get(key)
    if (known) known.count += 1
    else rows.set(key, { problem, count: 1, key })
  }
  return [...rows.values()]
}

function useText() {
  const { rules } = useWords(operatorWords)
  const language = useLanguage()
  return (problem: OperatorProblem): string => {
    const { kind, detail } = problem
    if (kind === 'alert') return rules[problem.rule]
    if (kind === 'trunk') return nameAndProblem(detail, explainTrunk(detail, language))
    if (kind !== 'webhook') return detail
    const [, integration = '', reported = ''] = /^([^:]*): (.*)$/s.exec(detail) ?? []
    return reported === '' ? detail : `${integration}: ${explainFailure(reported, language)}`
  }
}

function nameAndProblem(reported: string, explained: string): string {
  const [, name] = /^Trunk ([^\s:]+)/.exec(reported) ?? []
  return name === undefined || explained === reported ? explained : `${name} ${explained}`
}
