/** Calls of a period apart by extension, user, cause, direction, outcome or day, each row with a link to its calls (D604). */
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api.ts'
import { useExtensions } from '../../own-extension.ts'
import { useFormat } from '../../parts/format.ts'
import { useOutcomes } from '../../parts/records/outcomes.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, rowsPerPage, Table } from '../../parts/table.tsx'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { byDate, byGroup, callsHref, type Group, type GroupRow, type StatsRow } from './figures.ts'
import type { Period } from './period.ts'
import { usePeriod } from './report-data.ts'
import { reportWords } from './words.ts'

export type Apart = Group | 'date'
export const aparts: Apart[] = ['extension', 'user', 'cause', 'direction', 'outcome', 'date']

export function Groups({ period, apart }: { period: Period; apart: Apart }) {
  const words = useWords(reportWords)
  const figures = usePeriod(period, apart === 'date' ? undefined : apart)
  return (
    <div className="card flush">
      <Loaded query={figures}>
        {({ period, rows }) =>
          rows.length === 0 ? (
            <Empty icon="reports" title={words.empty} />
          ) : (
            <GroupTable rows={rows} period={period} apart={apart} />
          )
        }
      </Loaded>
    </div>
  )
}

type TableProps = { rows: StatsRow[]; period: Period; apart: Apart }

/** The largest groups; the others on request. */
const GroupTable = memo(function GroupTable({ rows, period, apart }: TableProps) {
  const words = useWords(reportWords)
  const format = useFormat()
  const [isWhole, setIsWhole] = useState(false)
  const columns = useColumns(period, apart)
  const groups = apart === 'date' ? byDate(rows) : byGroup(rows)
  return (
    <>
      <Table
        caption={words.groups[apart]}
        columns={columns}
        rows={groups.slice(0, isWhole ? undefined : rowsPerPage)}
        keyOf={(row) => row.group ?? ''}
      />
      {!isWhole && groups.length > rowsPerPage && (
        <div className="pager">
          <button type="button" className="button small" onClick={() => setIsWhole(true)}>
            {words.showAll(format.count(groups.length))}
          </button>
        </div>
      )}
    </>
  )
})

function useColumns(period: Period, apart: Apart): Column<GroupRow>[] {
  const words = useWords(reportWords)
  const nameOf = useGroupNames(apart)
  const nameless = apart === 'outcome' ? words.noOutcome : words.noGroup
  const format = useFormat()
  return [
    {
      name: words.groups[apart],
      cell: (row) => (row.group === null ? nameless : (nameOf(row.group) ?? row.group)),
    },
    {
      name: words.calls,
      className: 'right',
      cell: ({ calls, group: key }) => <CallsOf count={calls} href={callsHref(apart, key, period)} />,
    },
    {
      name: words.rate,
      className: 'right',
      cell: ({ calls, answered }) => format.percent(calls === 0 ? 0 : answered / calls),
    },
    {
      name: words.minutes,
      className: 'right',
      cell: ({ seconds }) => format.count(Math.round(seconds / 60)),
    },
    { name: words.cost, className: 'right', cell: ({ cost }) => format.money(cost) },
  ]
}

function CallsOf({ count, href }: { count: number; href: string | undefined }) {
  const format = useFormat()
  return href === undefined ? format.count(count) : <Link href={href}>{format.count(count)}</Link>
}

/** Extensions and users by the names of their people; what is gone keeps its number or id. */
function useGroupNames(apart: Apart): (key: string) => ReactNode {
  const { causes, type } = useWords(callWords)
  const format = useFormat()
  const extensions = useExtensions()
  const { labelOf } = useOutcomes()
  const users = useQuery({
    queryKey: ['users'],
    queryFn: () => request('GET', '/users'),
    enabled: apart === 'user',
  })
  const names: Record<Apart, (key: string) => ReactNode> = {
    cause: (key) => causes[key as keyof typeof causes],
    direction: (key) => type[key as keyof typeof type],
    outcome: labelOf,
    date: format.date,
    user: (key) => users.data?.find(({ uuid }) => uuid === key)?.name,
    extension: (key) => {
      const found = extensions.data?.find(({ ramal }) => ramal === key)
      return found && `${key} ${found.first_name} ${found.last_name}`
    },
  }
  return names[apart]
}
