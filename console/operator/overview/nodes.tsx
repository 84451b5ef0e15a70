/** The processes of the service and the trunks at each of them. */
import { useState } from 'react'
import { Link } from 'wouter'
import type { OperatorNode, OperatorTrunk } from '../../../src/contract/operator.ts'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { explainTrunk } from '../trunks/problem.ts'
import { Used } from '../trunks/used.tsx'
import { operatorWords } from '../words.ts'

export const overviewKey = ['operator', 'overview']

const tones: Record<OperatorNode['state'], string> = {
  active: 'good',
  draining: 'warn',
  stopped: '',
  lost: 'bad',
}

/** People are not shown differences that a measurement over the network has. */
const maxOffsetSeconds = 2

export function Nodes({ nodes }: { nodes: OperatorNode[] }) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const [draining, setDraining] = useState<OperatorNode>()
  const columns: Column<OperatorNode>[] = [
    {
      name: words.machine,
      cell: (node) => (
        <>
          <strong title={node.id}>{node.host ?? node.id}</strong>
          <div className="faint small">{besideName(node, nodes)}</div>
        </>
      ),
    },
    {
      name: words.roles,
      className: 'hide-narrow',
      cell: ({ roles }) => roles.map((role) => words.roleNames[role] ?? role).join(', '),
    },
    {
      name: common.status,
      cell: ({ state }) => <span className={`badge ${tones[state]}`}>{words.states[state]}</span>,
    },
    { name: words.calls, className: 'right', cell: ({ calls }) => format.count(calls) },
    { name: words.phones, className: 'right hide-narrow', cell: ({ phones }) => format.count(phones) },
    { name: words.version, className: 'hide-narrow', cell: ({ version }) => version ?? '' },
    {
      name: words.clock,
      className: 'hide-narrow',
      cell: ({ clockOffsetSeconds: offset }) =>
        offset !== null &&
        (Math.abs(offset) > maxOffsetSeconds ? (
          <span className="bad">{format.seconds(offset)}</span>
        ) : (
          <span className="faint">{words.clockRight}</span>
        )),
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

/** The address; the id only where the name does not tell nodes apart. */
function besideName({ id, host, address }: OperatorNode, nodes: OperatorNode[]): string | undefined {
  const isAmbiguous = nodes.some((other) => other.id !== id && other.host === host)
  return address ?? (host !== null && isAmbiguous ? id : undefined)
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

export function Trunks({ nodes }: { nodes: OperatorNode[] }) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const language = useLanguage()
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
            <span className="small">{problems.map((one) => explainTrunk(one, language)).join('; ')}</span>
          </>
        ),
    },
    {
      name: words.channels,
      className: 'right',
      cell: ({ used, channels }) => <Used used={used} of={channels} />,
    },
  ]
  return (
    <div className="card flush">
      <div className="row between card-title">
        <h2>{words.trunks}</h2>
        <Link href="/trunks">{words.seeTrunks}</Link>
      </div>
      {rows.length === 0 ? (
        <p className="list-search faint">{words.noTrunks}</p>
      ) : (
        <Table caption={words.trunks} columns={columns} rows={rows} keyOf={({ key }) => key} />
      )}
    </div>
  )
}
