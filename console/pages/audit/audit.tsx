/** Who did what in the account, newest first. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, must } from '../../api.ts'
import type { AuditEntry } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, Table } from '../../parts/table.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useWords } from '../../words/language.ts'
import { auditWords } from './words.ts'

export default function Audit() {
  const words = useWords(auditWords)
  const { page, setPage } = useFilters()
  const entries = useQuery({
    queryKey: ['audit', page],
    queryFn: () => must(client.GET('/accounts/audit', { params: { query: { page } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={words.title} about={words.about}>
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
  const format = useFormat()
  const columns: Column<AuditEntry>[] = [
    { name: words.when, cell: ({ at }) => <span className="number">{format.exact(at)}</span> },
    {
      name: words.what,
      cell: ({ action }) => {
        const [kind = '', deed = ''] = action.split('.')
        const known = words.deeds[deed]
        return known ? `${words.kinds[kind] ?? kind}: ${known}` : <code>{action}</code>
      },
    },
    { name: words.subject, className: 'breaks small', cell: ({ subject }) => subject ?? '—' },
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

function Details({ details }: { details: Record<string, unknown> }) {
  if (Object.keys(details).length === 0) return null
  const parts = Object.entries(details).map(([name, value]) => `${name}: ${written(value)}`)
  return <span className="faint small">{parts.join(', ')}</span>
}

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
