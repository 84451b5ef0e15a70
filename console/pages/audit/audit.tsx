/** Who did what in the account, newest first. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AuditAction } from '../../../src/contract/accounts/audit-actions.ts'
import { client, must } from '../../api.ts'
import type { AuditEntry } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Check } from '../../parts/forms/field.tsx'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { useWords } from '../../words/language.ts'
import { actionWords } from './action-words.ts'
import { Details } from './details.tsx'
import { auditWords } from './words.ts'

/** Every phone of a browser gets one each ten minutes: the rest would be hard to find between them. */
const renewed: AuditAction = 'extension.credential-issued'

export default function Audit() {
  const words = useWords(auditWords)
  const { page, setPage, read, set } = useFilters()
  const showsCredentials = read('credentials') !== ''
  const filter = JSON.stringify(showsCredentials ? {} : { where: { action: { neq: renewed } } })
  const entries = useQuery({
    queryKey: ['audit', page, filter],
    queryFn: () => must(client.GET('/accounts/audit', { params: { query: { page, filter } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={words.title} about={words.about}>
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

function Entries({ rows }: { rows: AuditEntry[] }) {
  const words = useWords(auditWords)
  const actions: Record<string, string> = useWords(actionWords)
  const format = useFormat()

  function subjectOf({ action, subject }: AuditEntry): string {
    if (subject === null) return '—'
    if (action.startsWith('number.')) return telephone(subject)
    return action.startsWith('charge.') ? words.charge(subject) : subject
  }

  const columns: Column<AuditEntry>[] = [
    { name: words.when, cell: ({ at }) => <span className="number">{format.exact(at)}</span> },
    {
      name: words.what,
      cell: ({ action }) => actions[action] ?? <code>{action}</code>,
    },
    { name: words.subject, className: 'breaks small', cell: (entry) => subjectOf(entry) },
    {
      name: words.who,
      className: 'breaks small',
      cell: ({ actor }) => actor ?? <span className="faint">{words.operator}</span>,
    },
    {
      name: words.details,
      className: 'breaks',
      cell: ({ details }) => <Details details={details} />,
    },
  ]
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
}
