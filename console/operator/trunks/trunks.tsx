/** The trunks: added, changed, switched off and on, tested, removed, without a restart (D624). */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperatorTrunk, OperatorTrunks } from '../../../src/contract/operator-trunks.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useLanguage, useWords } from '../../words/language.ts'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { explainTrunk } from './problem.ts'
import { RemoveTrunk, SwitchTrunk } from './trunk-changes.tsx'
import { EditTrunk, NewTrunk } from './trunk-form.tsx'
import { trunksKey, usedBy } from './trunk-list.ts'
import { TrunkTest } from './trunk-test.tsx'
import { Used } from './used.tsx'
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
      <Icon name="plus" />
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
      cell: (trunk) => <Used used={usedBy(trunk)} of={trunk.settings.channels} />,
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (trunk) => (
        <RowActions>
          <RowButton icon="live" name={`${own.test} ${trunk.name}`} onClick={() => onDo('test', trunk)} />
          <RowButton
            icon={trunk.on ? 'pause' : 'play'}
            name={`${trunk.on ? own.switchOff : own.switchOn} ${trunk.name}`}
            onClick={() => onDo('switch', trunk)}
          />
          {trunk.source === 'stored' && (
            <>
              <RowButton
                icon="edit"
                name={`${common.edit} ${trunk.name}`}
                onClick={() => onDo('edit', trunk)}
              />
              <RowButton
                icon="trash"
                name={`${common.remove} ${trunk.name}`}
                onClick={() => onDo('remove', trunk)}
              />
            </>
          )}
        </RowActions>
      ),
    },
  ]
  return <Table caption={words.trunks} columns={columns} rows={rows} keyOf={({ name }) => name} />
}

function State({ trunk: { on, nodes } }: { trunk: OperatorTrunk }) {
  const own = useWords(trunkWords)
  const language = useLanguage()
  if (!on) return <span className="badge">{own.off}</span>
  const reported = nodes.flatMap((node) => node.problems)
  const problems = [...new Set(reported.map((one) => explainTrunk(one, language)))]
  if (problems.length === 0) return <span className="badge good">{own.on}</span>
  return (
    <>
      <span className="badge bad">{own.down}</span> <span className="small">{problems.join('; ')}</span>
    </>
  )
}
