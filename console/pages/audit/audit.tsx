/** Who did what in the account, newest first. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { AuditAction } from '../../../src/contract/accounts/audit-actions.ts'
import { request } from '../../api.ts'
import type { AuditEntry } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Check, Field, SelectField } from '../../parts/forms/field.tsx'
import { SearchInput } from '../../parts/forms/search-input.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, rowsPerPage, Table } from '../../parts/table.tsx'
import { useWords } from '../../words/language.ts'
import { actionWords } from './action-words.ts'
import { Details } from './details.tsx'
import { useSubject } from './subject.ts'
import { auditWords } from './words.ts'

/** Every phone of a browser gets one each ten minutes: the rest would be hard to find between them. */
const renewed: AuditAction = 'extension.credential-issued'

/** By who did it or whom it is about, by action, and since a day of the account. */
function whereOf(read: (name: string) => string, showsCredentials: boolean) {
  const who = { ilike: read('who').trim() }
  const and = [
    ...(showsCredentials ? [] : [{ action: { neq: renewed } }]),
    ...(who.ilike === '' ? [] : [{ or: [{ actor: who }, { subject: who }] }]),
    ...(read('what') === '' ? [] : [{ action: read('what') }]),
    ...(read('since') === '' ? [] : [{ at: { gte: read('since') } }]),
  ]
  return and.length === 0 ? {} : { and }
}

export default function Audit() {
  const words = useWords(auditWords)
  const { page, setPage, read, set } = useFilters()
  const choices = Object.entries(useWords(actionWords)).map(([value, name]) => ({ value, name }))
  const showsCredentials = read('credentials') !== ''
  const filter = JSON.stringify({ where: whereOf(read, showsCredentials), limit: rowsPerPage })
  const entries = useQuery({
    queryKey: ['audit', page, filter],
    queryFn: () => request('GET', '/accounts/audit', { query: { page, filter } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={words.title} about={words.about}>
      <search className="card filters">
        <SearchInput label={words.whoSearch} value={read('who')} onSearch={(who) => set({ who })} />
        <SelectField
          label={words.what}
          value={read('what')}
          onChange={(event) => set({ what: event.target.value })}
          choices={[{ value: '', name: words.anyAction }, ...choices]}
        />
        <Field
          label={words.since}
          type="date"
          value={read('since')}
          onChange={(event) => set({ since: event.target.value })}
        />
      </search>
      <Check
        label={words.credentials}
        checked={showsCredentials}
        onChange={(event) => set({ credentials: event.currentTarget.checked ? 'on' : '' })}
      />
      <div className="card flush">
        <Loaded query={entries} lines={12}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty icon="audit" title={words.empty} />
            ) : (
              <>
                <Entries rows={data} />
                <Pager meta={meta} onPage={setPage} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

const Entries = memo(function Entries({ rows }: { rows: AuditEntry[] }) {
  const words = useWords(auditWords)
  const actions: Record<string, string> = useWords(actionWords)
  const format = useFormat()
  const subjectOf = useSubject()
  const columns: Column<AuditEntry>[] = [
    {
      name: words.when,
      className: 'number',
      cell: ({ at }) => <span title={format.exact(at)}>{format.moment(at)}</span>,
    },
    {
      name: words.what,
      className: 'keep',
      cell: (entry) => (
        <>
          <strong>{actions[entry.action] ?? <code>{entry.action}</code>}</strong>
          <div className="faint small">{subjectOf(entry)}</div>
        </>
      ),
    },
    {
      name: words.who,
      className: 'number',
      cell: ({ actor }) => actor ?? <span className="faint">{words.operator}</span>,
    },
    {
      name: words.details,
      className: 'breaks',
      cell: ({ details }) => <Details details={details} />,
    },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
})
