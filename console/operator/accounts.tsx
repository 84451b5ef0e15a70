/** Accounts with their credit and limits. */
import { useState } from 'react'
import { Link } from 'wouter'
import type { OperatorAccount } from '../../src/contract/operator.ts'
import { useFormat } from '../parts/format.ts'
import { useFilters } from '../parts/forms/use-filters.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { accountWords } from './account/words.ts'
import { LimitForm } from './limit-form.tsx'
import { metaOf, useList } from './operator-api.ts'
import { Search } from './search.tsx'
import { operatorWords } from './words.ts'

export function Accounts() {
  const words = useWords(operatorWords)
  const filters = useFilters()
  const accounts = useList<OperatorAccount>('accounts', { search: filters.read('search') }, filters.page)
  const [changing, setChanging] = useState<OperatorAccount>()
  return (
    <Page title={words.accounts}>
      <div className="card flush">
        <Search label={words.searchAccounts} />
        <Loaded query={accounts}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="search" title={words.nothingFound} />
            ) : (
              <>
                <AccountTable rows={page.rows} onChange={setChanging} />
                <Pager meta={metaOf(page)} onPage={filters.setPage} />
              </>
            )
          }
        </Loaded>
      </div>
      {changing && <LimitForm domain={changing.domain} onClose={() => setChanging(undefined)} />}
    </Page>
  )
}

type TableProps = { rows: OperatorAccount[]; onChange: (account: OperatorAccount) => void }

function AccountTable({ rows, onChange }: TableProps) {
  const words = useWords(operatorWords)
  const account = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const columns: Column<OperatorAccount>[] = [
    {
      name: words.account,
      className: 'keep',
      cell: ({ domain, activatedAt, suspendedAt }) => (
        <>
          <Link href={`/accounts/${domain}`}>
            <strong>{domain}</strong>
          </Link>
          {suspendedAt !== null && (
            <>
              {' '}
              <span className="badge bad">{account.suspended}</span>
            </>
          )}
          {activatedAt === null && (
            <>
              {' '}
              <span className="badge warn">{words.notActive}</span>
            </>
          )}
        </>
      ),
    },
    { name: words.company, cell: ({ name }) => name },
    { name: common.email, className: 'hide-narrow hide-tight', cell: ({ email }) => email },
    {
      name: words.balance,
      className: 'right number',
      cell: ({ balance, reserved }) => (
        <>
          <span className={balance < 0 ? 'bad' : undefined}>{format.money(balance)}</span>
          {reserved > 0 && (
            <div className="faint small hide-tight">{words.reserved(format.money(reserved))}</div>
          )}
        </>
      ),
    },
    {
      name: words.aDay,
      className: 'hide-narrow right number',
      cell: ({ limits: { callsPerDay, spendingPerDay, proof } }) => (
        <>
          <span title={words.perDay(format.count(callsPerDay.value), format.money(spendingPerDay.value))}>
            {format.count(callsPerDay.value)} · {format.money(spendingPerDay.value)}
          </span>
          {proof === null && <span className="badge hide-tight">{words.notProven}</span>}
        </>
      ),
    },
    {
      name: common.actions,
      hideName: true,
      className: 'narrow',
      cell: (row) => (
        <button
          type="button"
          className="button small"
          aria-label={`${words.limits} ${row.domain}`}
          onClick={() => onChange(row)}
        >
          {words.limits}
        </button>
      ),
    },
  ]
  return <Table caption={words.accounts} columns={columns} rows={rows} keyOf={({ domain }) => domain} />
}
