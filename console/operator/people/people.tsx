/** The operators (D648): added, reset, switched off and on. */
import { useState } from 'react'
import type { OperatorPerson } from '../../../src/contract/operator-people.ts'
import { useFormat } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../words.ts'
import { usePeople } from './people-list.ts'
import { AddPerson, ResetPerson, SwitchPerson } from './person-forms.tsx'
import { peopleWords } from './words.ts'

type Doing = { what: 'reset' | 'switch'; person: OperatorPerson }

export default function People() {
  const words = useWords(operatorWords)
  const own = useWords(peopleWords)
  const people = usePeople()
  const [isAdding, setIsAdding] = useState(false)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const addButton = (
    <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
      {own.add}
    </button>
  )
  return (
    <Page title={words.operators} about={own.about} actions={addButton}>
      <Loaded query={people}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty icon="users" title={own.none}>
              <p>{own.noneAbout}</p>
            </Empty>
          ) : (
            <div className="card flush">
              <PeopleTable rows={rows} onDo={(what, person) => setDoing({ what, person })} />
            </div>
          )
        }
      </Loaded>
      {isAdding && <AddPerson onClose={() => setIsAdding(false)} />}
      {doing?.what === 'reset' && <ResetPerson person={doing.person} onClose={close} />}
      {doing?.what === 'switch' && <SwitchPerson person={doing.person} onClose={close} />}
    </Page>
  )
}

type TableProps = { rows: OperatorPerson[]; onDo: (what: Doing['what'], person: OperatorPerson) => void }

function PeopleTable({ rows, onDo }: TableProps) {
  const words = useWords(operatorWords)
  const own = useWords(peopleWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const columns: Column<OperatorPerson>[] = [
    {
      name: common.name,
      cell: ({ name, email }) => (
        <>
          <strong>{name}</strong>
          <div className="faint small">{email}</div>
        </>
      ),
    },
    {
      name: common.status,
      cell: ({ state }) => (
        <span className={state === 'active' ? 'badge good' : 'badge'}>{own.states[state]}</span>
      ),
    },
    {
      name: own.lastLogin,
      className: 'number',
      cell: ({ lastLoginAt }) => (lastLoginAt === null ? common.never : format.moment(lastLoginAt)),
    },
    {
      name: common.actions,
      cell: (person) => (
        <div className="row">
          {person.state !== 'off' && (
            <button type="button" className="button small" onClick={() => onDo('reset', person)}>
              {own.reset}
            </button>
          )}
          <button type="button" className="button small" onClick={() => onDo('switch', person)}>
            {person.state === 'off' ? own.switchOn : own.switchOff}
          </button>
        </div>
      ),
    },
  ]
  return <Table caption={words.operators} columns={columns} rows={rows} keyOf={({ id }) => id} />
}
