/** Telephone numbers of all accounts: assign one, take it back. */
import { useState } from 'react'
import type { OperatorNumber } from '../../src/contract/operator.ts'
import { useFormat } from '../parts/format.ts'
import { Confirm } from '../parts/forms/confirm.tsx'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Field } from '../parts/forms/field.tsx'
import { Form } from '../parts/forms/form.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useFilters } from '../parts/forms/use-filters.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { telephone } from '../parts/telephone.ts'
import { toast } from '../parts/toasts.tsx'
import { queryClient } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { metaOf, operate, useList } from './operator-api.ts'
import { Search } from './search.tsx'
import { operatorWords } from './words.ts'

const numbersKey = ['operator', 'numbers']

export function Numbers() {
  const words = useWords(operatorWords)
  const filters = useFilters()
  const numbers = useList<OperatorNumber>('numbers', { search: filters.read('search') }, filters.page)
  const [isAssigning, setIsAssigning] = useState(false)
  const [releasing, setReleasing] = useState<OperatorNumber>()
  const assign = (
    <button type="button" className="button primary" onClick={() => setIsAssigning(true)}>
      <Icon name="plus" />
      {words.assign}
    </button>
  )
  return (
    <Page title={words.numbers} about={words.numbersAbout} actions={assign}>
      <div className="card flush">
        <Search label={words.searchNumbers} />
        <Loaded query={numbers}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="numbers" title={words.nothingFound} />
            ) : (
              <>
                <NumberTable rows={page.rows} onRelease={setReleasing} />
                <Pager meta={metaOf(page)} onPage={filters.setPage} />
              </>
            )
          }
        </Loaded>
      </div>
      {isAssigning && <Assignment onClose={() => setIsAssigning(false)} />}
      {releasing && <Release number={releasing} onClose={() => setReleasing(undefined)} />}
    </Page>
  )
}

type TableProps = { rows: OperatorNumber[]; onRelease: (number: OperatorNumber) => void }

function NumberTable({ rows, onRelease }: TableProps) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const columns: Column<OperatorNumber>[] = [
    { name: words.number, cell: ({ number }) => <strong className="number">{telephone(number)}</strong> },
    { name: words.account, cell: ({ domain }) => domain },
    {
      name: common.status,
      cell: ({ proof, verifiedAt }) => (
        <>
          <span className={proof ? 'badge good' : 'badge'}>
            {proof ? words.proofs[proof] : words.claimed}
          </span>{' '}
          {verifiedAt && <span className="faint small hide-narrow">{format.day(verifiedAt)}</span>}
        </>
      ),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (number) =>
        number.proof && (
          <button
            type="button"
            className="button small"
            aria-label={`${words.release} ${telephone(number.number)}`}
            onClick={() => onRelease(number)}
          >
            {words.release}
          </button>
        ),
    },
  ]
  return (
    <Table
      caption={words.numbers}
      columns={columns}
      rows={rows}
      keyOf={({ number, domain }) => `${number} ${domain}`}
    />
  )
}

function Assignment({ onClose }: { onClose: () => void }) {
  const words = useWords(operatorWords)
  const common = useWords(commonWords)
  const form = useForm(async ({ number = '', domain = '' }) => {
    await operate('POST', '/numbers', { number, domain })
    await queryClient.invalidateQueries({ queryKey: numbersKey })
    toast(common.saved)
    onClose()
  })
  return (
    <Dialog title={words.assign} onClose={onClose}>
      <Form form={form} action={words.assign} onCancel={onClose}>
        <Field label={words.number} name="number" type="tel" required placeholder="(48) 3333-4444" />
        <Field label={words.domain} name="domain" required autoCapitalize="none" spellCheck={false} />
      </Form>
    </Dialog>
  )
}

function Release({ number: { number, domain }, onClose }: { number: OperatorNumber; onClose: () => void }) {
  const words = useWords(operatorWords)
  const action = useAction({
    run: () => operate('DELETE', `/numbers/${number}`),
    refresh: [numbersKey],
    onDone: onClose,
  })
  return (
    <Confirm
      title={words.release}
      action={words.release}
      isBusy={action.isPending}
      onConfirm={() => action.mutate()}
      onClose={onClose}
    >
      <p>{words.releaseAbout(telephone(number), domain)}</p>
    </Confirm>
  )
}
