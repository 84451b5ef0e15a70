/** Telephone numbers of the account: add, prove by a call, give up. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../api.ts'
import type { NumberVerification, PhoneNumber } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { RowActions, RowButton } from '../../parts/row-actions.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { toast } from '../../parts/toasts.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { numberWords } from './words.ts'

const numbersKey = ['numbers']

export default function Numbers() {
  const words = useWords(numberWords)
  const numbers = useQuery({ queryKey: numbersKey, queryFn: () => request('GET', '/numbers') })
  const [isAdding, setIsAdding] = useState(false)
  const [removing, setRemoving] = useState<PhoneNumber>()
  const [verification, setVerification] = useState<NumberVerification>()
  const add = (
    <button type="button" className="button primary" onClick={() => setIsAdding(true)}>
      <Icon name="plus" />
      {words.add}
    </button>
  )
  return (
    <Page title={words.title} about={words.about} actions={add}>
      <div className="card flush">
        <Loaded query={numbers}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="numbers" title={words.empty}>
                <p>{words.emptyAbout}</p>
                {add}
              </Empty>
            ) : (
              <NumberTable rows={rows} onRemove={setRemoving} onVerification={setVerification} />
            )
          }
        </Loaded>
      </div>
      {isAdding && <NumberForm onClose={() => setIsAdding(false)} />}
      {removing && <Removal number={removing} onClose={() => setRemoving(undefined)} />}
      {verification && <CodeToType verification={verification} onClose={() => setVerification(undefined)} />}
    </Page>
  )
}

type TableProps = {
  rows: PhoneNumber[]
  onRemove: (number: PhoneNumber) => void
  onVerification: (verification: NumberVerification) => void
}

function NumberTable({ rows, onRemove, onVerification }: TableProps) {
  const words = useWords(numberWords)
  const common = useWords(commonWords)
  const columns: Column<PhoneNumber>[] = [
    { name: words.column, cell: ({ number }) => <strong className="number">{telephone(number)}</strong> },
    {
      name: common.status,
      cell: ({ verified, proof }) => (
        <>
          <span className={verified ? 'badge good' : 'badge warn'}>
            {verified ? words.verified : words.notVerified}
          </span>{' '}
          {proof && <span className="faint small">{words.proof[proof]}</span>}
        </>
      ),
    },
    {
      name: words.lastCall,
      className: 'hide-narrow',
      cell: ({ lastCall }) =>
        lastCall ? (lastCall.outcome ? words.outcomes[lastCall.outcome] : words.calling) : '—',
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (number) => (
        <RowActions>
          {!number.verified && <VerifyButton number={number} onVerification={onVerification} />}
          <RowButton
            icon="trash"
            name={`${common.remove} ${telephone(number.number)}`}
            onClick={() => onRemove(number)}
          />
        </RowActions>
      ),
    },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

type VerifyProps = { number: PhoneNumber; onVerification: (verification: NumberVerification) => void }

/** The service calls the number, and shows the code that has to be typed there. */
function VerifyButton({ number: { id, number }, onVerification }: VerifyProps) {
  const words = useWords(numberWords)
  const verify = useAction({
    run: () => request('POST', '/numbers/{id}/verify', { path: { id } }),
    refresh: [numbersKey],
    onDone: (answer) =>
      answer.code === null ? toast(answer.localizedMessage ?? answer.message) : onVerification(answer),
  })
  return (
    <RowButton
      icon="calls"
      name={`${words.verify} ${telephone(number)}`}
      word={words.verify}
      isBusy={verify.isPending}
      onClick={() => verify.mutate()}
    />
  )
}

function CodeToType({ verification, onClose }: { verification: NumberVerification; onClose: () => void }) {
  const words = useWords(numberWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const cache = useQueryClient()
  const { number, code, expiresAt } = verification
  function finish() {
    void cache.invalidateQueries({ queryKey: numbersKey })
    onClose()
  }
  return (
    <Dialog title={words.verifyTitle(telephone(number.number))} onClose={finish}>
      <div className="stack">
        <p>{words.type}</p>
        <p className="figure">
          <span className="value mono">{code}</span>
        </p>
        {expiresAt && <p className="faint small">{words.until(format.time(expiresAt))}</p>}
        <div className="foot">
          <button type="button" className="button primary" onClick={finish}>
            {common.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function NumberForm({ onClose }: { onClose: () => void }) {
  const words = useWords(numberWords)
  const cache = useQueryClient()
  const form = useForm(async ({ number = '' }) => {
    await request('POST', '/numbers', { body: { number } })
    await cache.invalidateQueries({ queryKey: numbersKey })
    toast(words.added)
    onClose()
  })
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Form form={form} action={words.add} onCancel={onClose}>
        <Field label={words.number} name="number" type="tel" required placeholder="(48) 3333-4444" />
      </Form>
    </Dialog>
  )
}

function Removal({ number: { id, number }, onClose }: { number: PhoneNumber; onClose: () => void }) {
  const words = useWords(numberWords)
  const common = useWords(commonWords)
  const remove = useAction({
    run: () => request('DELETE', '/numbers/{id}', { path: { id } }),
    refresh: [numbersKey],
    done: words.removed,
    onDone: onClose,
  })
  return (
    <Confirm
      title={telephone(number)}
      action={common.remove}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.confirmRemove(telephone(number))}</p>
    </Confirm>
  )
}
