/** The state of the service: its processes, carriers, queues, and what went wrong lately. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  OperatorNode,
  OperatorOverview,
  OperatorProblem,
  OperatorQueue,
  OperatorTrunk,
} from '../../src/contract/operator.ts'
import { useFormat } from '../parts/format.ts'
import { Confirm } from '../parts/forms/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Value } from '../parts/value.tsx'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { operate } from './operator-api.ts'
import { operatorWords } from './words.ts'

const overviewKey = ['operator', 'overview']
/** As often as nodes report. */
const refreshMs = 5_000

export function Overview() {
  const words = useWords(operatorWords)
  const overview = useQuery({
    queryKey: overviewKey,
    queryFn: () => operate<OperatorOverview>('GET', '/overview'),
    refetchInterval: refreshMs,
  })
  return (
    <Page title={words.overview} about={words.overviewAbout}>
      <Loaded query={overview} lines={10}>
        {({ nodes, queues, problems }) => (
          <>
            <Queues queues={queues} />
            <Nodes nodes={nodes} />
            <Trunks nodes={nodes} />
            <Problems problems={problems} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Queues({ queues }: { queues: OperatorQueue[] }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  return (
    <section className="cards" aria-label={words.queues}>
      {queues.map(({ name, waiting, oldest }) => (
        <div key={name} className="card figure">
          <h2>{words.queueNames[name]}</h2>
          <Value>{format.count(waiting)}</Value>
          <div className="about">{oldest ? words.since(format.moment(oldest)) : words.nothingWaits}</div>
        </div>
      ))}
    </section>
  )
}

const tones: Record<OperatorNode['state'], string> = {
  active: 'good',
  draining: 'warn',
  stopped: '',
  lost: 'bad',
}

/** People are not shown differences that a measurement over the network has. */
const maxOffsetSeconds = 2

function Nodes({ nodes }: { nodes: OperatorNode[] }) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const [draining, setDraining] = useState<OperatorNode>()
  const columns: Column<OperatorNode>[] = [
    {
      name: words.machine,
      cell: ({ host, id, address }) => (
        <>
          <strong>{host ?? id}</strong>
          <div className="faint small">{address ?? id}</div>
        </>
      ),
    },
    { name: words.roles, className: 'hide-narrow', cell: ({ roles }) => roles.join(', ') },
    {
      name: common.status,
      cell: ({ state }) => <span className={`badge ${tones[state]}`}>{words.states[state]}</span>,
    },
    { name: words.calls, className: 'right', cell: ({ calls }) => format.count(calls) },
    { name: words.phones, className: 'right hide-narrow', cell: ({ phones }) => format.count(phones) },
    { name: words.version, className: 'hide-narrow', cell: ({ version }) => version ?? '' },
    {
      name: words.clock,
      className: 'right hide-narrow',
      cell: ({ clockOffsetSeconds: offset }) =>
        offset !== null && (
          <span className={Math.abs(offset) > maxOffsetSeconds ? 'bad' : undefined}>
            {format.seconds(offset)}
          </span>
        ),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (node) => <DrainButton node={node} onDrain={() => setDraining(node)} />,
    },
  ]
  return (
    <div className="card flush">
      <h2 className="card-title">{words.nodes}</h2>
      <Table caption={words.nodes} columns={columns} rows={nodes} keyOf={({ id }) => id} />
      {draining && <Draining node={draining} onClose={() => setDraining(undefined)} />}
    </div>
  )
}

const drain = (id: string, draining: boolean) => operate('POST', `/nodes/${id}/drain`, { draining })

function DrainButton({ node: { id, host, state }, onDrain }: { node: OperatorNode; onDrain: () => void }) {
  const words = useWords(operatorWords)
  const undo = useAction({ run: () => drain(id, false), refresh: [overviewKey] })
  if (state !== 'active' && state !== 'draining') return null
  const isDraining = state === 'draining'
  return (
    <button
      type="button"
      className="button small"
      aria-label={`${isDraining ? words.undrain : words.drain} ${host ?? id}`}
      disabled={undo.isPending}
      onClick={() => (isDraining ? undo.mutate() : onDrain())}
    >
      {isDraining ? words.undrain : words.drain}
    </button>
  )
}

function Draining({ node, onClose }: { node: OperatorNode; onClose: () => void }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  const action = useAction({
    run: () => drain(node.id, true),
    refresh: [overviewKey],
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.drainTitle(node.host ?? node.id)}
      action={words.drain}
      isBusy={action.isPending}
      onConfirm={() => action.mutate()}
      onClose={onClose}
    >
      <p>{words.drainAbout(format.count(node.calls))}</p>
    </Confirm>
  )
}

type TrunkOfNode = OperatorTrunk & { node: string; key: string }

function Trunks({ nodes }: { nodes: OperatorNode[] }) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const rows = nodes.flatMap(({ id, host, trunks }) =>
    trunks.map((trunk): TrunkOfNode => ({ ...trunk, node: host ?? id, key: `${id} ${trunk.name}` })),
  )
  const columns: Column<TrunkOfNode>[] = [
    { name: words.trunk, cell: ({ name }) => <strong>{name}</strong> },
    { name: words.machine, className: 'hide-narrow', cell: ({ node }) => node },
    {
      name: common.status,
      cell: ({ problems }) =>
        problems.length === 0 ? (
          <span className="badge good">{words.trunkUp}</span>
        ) : (
          <>
            <span className="badge bad">{words.trunkDown}</span>{' '}
            <span className="small">{problems.join('; ')}</span>
          </>
        ),
    },
    { name: words.channels, className: 'right', cell: ({ used, channels }) => `${used} / ${channels}` },
  ]
  return (
    <div className="card flush">
      <h2 className="card-title">{words.trunks}</h2>
      {rows.length === 0 ? (
        <p className="list-search faint">{words.noTrunks}</p>
      ) : (
        <Table caption={words.trunks} columns={columns} rows={rows} keyOf={({ key }) => key} />
      )}
    </div>
  )
}

function Problems({ problems }: { problems: OperatorProblem[] }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  return (
    <div className="card flush">
      <h2 className="card-title">{words.problems}</h2>
      {problems.length === 0 ? (
        <Empty icon="check" title={words.noProblems} />
      ) : (
        <ul className="problem-list">
          {problems.map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity, and the list is shown whole.
            <li key={index}>
              <span className="number faint">{format.exact(problem.at)}</span>
              <strong>{words.kinds[problem.kind]}</strong>
              <span>{textOf(problem, words.rules)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Rules = (typeof operatorWords)['pt']['rules']

function textOf(problem: OperatorProblem, rules: Rules): string {
  const { detail } = problem
  switch (problem.kind) {
    case 'alert':
      return `${problem.domain}: ${rules[problem.rule]}`
    case 'webhook':
      return `${problem.domain}: ${detail}`
    case 'mail':
    case 'mail-given-up':
      return `${problem.recipient}: ${detail}`
    case 'log':
      return detail
    default:
      return `${problem.node}: ${detail}`
  }
}
