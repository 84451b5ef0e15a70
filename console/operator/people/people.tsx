/** The operators (D648): added, reset, switched off and on. */
import { useState } from 'react'
import type { OperatorPerson } from '../../../src/contract/operator-people.ts'
import { useFormat } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { useAccess } from '../operator-api.ts'
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
      <Icon name="plus" />
      {own.add}
    </button>
  )
  return (
    <Page title={words.operators} about={own.about} actions={addButton}>
      <div className="card flush">
        <Loaded query={people} lines={4}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty icon="users" title={own.none}>
                <p>{own.noneAbout}</p>
                {addButton}
              </Empty>
            ) : (
              <PeopleTable rows={rows} onDo={(what, person) => setDoing({ what, person })} />
            )
          }
        </Loaded>
      </div>
      {isAdding && <AddPerson onClose={() => setIsAdding(false)} />}
      {doing?.what === 'reset' && <ResetPerson person={doing.person} onClose={close} />}
      {doing?.what === 'switch' && <SwitchPerson person={doing.person} onClose={close} />}
    </Page>
  )
}

const tones: Record<OperatorPerson['state'], string> = { invited: 'warn', active: 'good', off: '' }

type TableProps = { rows: OperatorPerson[]; onDo: (what: Doing['what'], person: OperatorPerson) => void }

function PeopleTable({ rows, onDo }: TableProps) {
  const words = useWords(operatorWords)
  const own = useWords(peopleWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const access = useAccess()
  const columns: Column<OperatorPerson>[] = [
    {
      name: common.name,
      cell: ({ name, email }) => (
        <>
          <strong>{name}</strong>{' '}
          {email === access.data?.operator?.email && <span className="badge accent">{own.you}</span>}
          <div className="faint small">{email}</div>
        </>
      ),
    },
    {
      name: common.status,
      cell: ({ state, linkExpiresAt }) => (
        <>
          <span className={`badge ${tones[state]}`}>{own.states[state]}</span>
          {state === 'invited' && linkExpiresAt !== null && (
            <div className="faint small">{own.linkUntil(format.moment(linkExpiresAt))}</div>
          )}
        </>
      ),
    },
    {
      name: own.lastLogin,
      className: 'number',
      cell: ({ lastLoginAt }) => (lastLoginAt === null ? common.never : format.moment(lastLoginAt)),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (person) => (
        <RowActions>
          {person.state !== 'off' && (
            <RowButton
              icon="refresh"
              name={own.resetOf(person.email)}
              word={own.reset}
              onClick={() => onDo('reset', person)}
            />
          )}
          <RowButton
            icon={person.state === 'off' ? 'play' : 'pause'}
            name={`${person.state === 'off' ? own.switchOn : own.switchOff} ${person.email}`}
            word={person.state === 'off' ? own.switchOn : own.switchOff}
            onClick={() => onDo('switch', person)}
          />
        </RowActions>
      ),
    },
  ]
  return <Table caption={words.operators} columns={columns} rows={rows} keyOf={({ id }) => id} />
}
