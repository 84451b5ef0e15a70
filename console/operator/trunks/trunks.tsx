/** The trunks: added, changed, switched off and on, tested, removed, without a restart (D624). */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorTrunk, OperatorTrunks } from '../../../src/contract/operator-trunks.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { RemoveTrunk, SwitchTrunk } from './trunk-changes.tsx'
import { EditTrunk, NewTrunk } from './trunk-form.tsx'
import { trunksKey, usedBy } from './trunk-list.ts'
import { TrunkTest } from './trunk-test.tsx'
import { trunkWords } from './words.ts'

/** As often as nodes report. */
const refreshMs = 5_000

type Doing = { what: 'edit' | 'switch' | 'test' | 'remove'; trunk: OperatorTrunk }

export function Trunks() {
  const words = useWords(operatorWords)
  const own = useWords(trunkWords)
  const trunks = useQuery({
    queryKey: trunksKey,
    queryFn: () => operate<OperatorTrunks>('GET', '/trunks'),
    refetchInterval: refreshMs,
  })
  const [isAdding, setIsAdding] = useState(false)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const addButton = trunks.data?.sandbox === false && (
    <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
      {own.add}
    </button>
  )
  return (
    <Page title={words.trunks} about={own.about} actions={addButton}>
      <Loaded query={trunks}>
        {({ sandbox, rows }) => (
          <>
            {sandbox && <Notice>{own.sandbox}</Notice>}
            {rows.length > 0 && (
              <div className="card flush">
                <TrunkTable rows={rows} onDo={(what, trunk) => setDoing({ what, trunk })} />
              </div>
            )}
            {!sandbox && rows.length === 0 && (
              <Empty icon="integrations" title={own.none}>
                <p>{own.noneAbout}</p>
              </Empty>
            )}
          </>
        )}
      </Loaded>
      {isAdding && <NewTrunk onClose={() => setIsAdding(false)} />}
      {doing?.what === 'edit' && <EditTrunk trunk={doing.trunk} onClose={close} />}
      {doing?.what === 'switch' && <SwitchTrunk trunk={doing.trunk} onClose={close} />}
      {doing?.what === 'remove' && <RemoveTrunk trunk={doing.trunk} onClose={close} />}
      {doing?.what === 'test' && <TrunkTest name={doing.trunk.name} onClose={close} />}
    </Page>
  )
}

type TableProps = { rows: OperatorTrunk[]; onDo: (what: Doing['what'], trunk: OperatorTrunk) => void }

function TrunkTable({ rows, onDo }: TableProps) {
  const words = useWords(operatorWords)
  const own = useWords(trunkWords)
  const common = useWords(commonWords)
  const columns: Column<OperatorTrunk>[] = [
    {
      name: words.trunk,
      cell: ({ name, settings }) => (
        <>
          <strong>{name}</strong>
          <div className="faint small">{settings.address}</div>
        </>
      ),
    },
    { name: own.source, className: 'hide-narrow', cell: ({ source }) => own.sources[source] },
    { name: common.status, cell: (trunk) => <State trunk={trunk} /> },
    { name: own.priority, className: 'right hide-narrow', cell: ({ settings }) => settings.priority },
    {
      name: words.channels,
      className: 'right',
      cell: (trunk) => `${usedBy(trunk)} / ${trunk.settings.channels}`,
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (trunk) => (
        <div className="row">
          <Action name={own.test} trunk={trunk} onPress={() => onDo('test', trunk)} />
          <Action
            name={trunk.on ? own.switchOff : own.switchOn}
            trunk={trunk}
            onPress={() => onDo('switch', trunk)}
          />
          {trunk.source === 'stored' && (
            <Action name={common.edit} trunk={trunk} onPress={() => onDo('edit', trunk)} />
          )}
          {trunk.source === 'stored' && (
            <Action name={common.remove} trunk={trunk} onPress={() => onDo('remove', trunk)} />
          )}
        </div>
      ),
    },
  ]
  return <Table caption={words.trunks} columns={columns} rows={rows} keyOf={({ name }) => name} />
}

type ActionProps = { name: string; trunk: OperatorTrunk; onPress: () => void }

function Action({ name, trunk, onPress }: ActionProps) {
  return (
    <button type="button" className="button small" aria-label={`${name} ${trunk.name}`} onClick={onPress}>
      {name}
    </button>
  )
}

function State({ trunk: { on, nodes } }: { trunk: OperatorTrunk }) {
  const own = useWords(trunkWords)
  if (!on) return <span className="badge">{own.off}</span>
  const problems = [...new Set(nodes.flatMap((node) => node.problems))]
  if (problems.length === 0) return <span className="badge good">{own.on}</span>
  return (
    <>
      <span className="badge bad">{own.down}</span> <span className="small">{problems.join('; ')}</span>
    </>
  )
}
