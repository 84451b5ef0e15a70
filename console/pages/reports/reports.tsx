/** Calls over time and by extension, user, cause, direction or outcome. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { client, must } from '../../api.ts'
import { useExtensions } from '../../own-extension.ts'
import { useFormat } from '../../parts/format.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Page } from '../../parts/page.tsx'
import { Bars } from '../../parts/records/bars.tsx'
import { useOutcomes } from '../../parts/records/outcomes.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Value } from '../../parts/value.tsx'
import { callWords } from '../../words/calls.ts'
import { locale, useWords } from '../../words/language.ts'
import { byGroup, callsHref, type Figures, type Group, sum, usePeriod, withoutGaps } from './report-data.ts'
import { reportWords } from './words.ts'

const periods = [1, 7, 30, 90]
/** The largest; the others on request. */
const shownGroups = 50
const groups: Group[] = ['extension', 'user', 'cause', 'direction', 'outcome']

export default function Reports() {
  const words = useWords(reportWords)
  const filters = useFilters()
  const { timeZone } = useFormat()
  const days = periods.find((one) => String(one) === filters.read('days')) ?? 7
  const group = groups.find((one) => one === filters.read('by')) ?? 'extension'
  const overTime = usePeriod(days, timeZone)
  return (
    <Page title={words.title} about={words.about}>
      <div className="stack">
        <Choice
          name={words.period}
          choices={periods.map((one) => ({ value: String(one), name: words.periods[one] ?? '' }))}
          chosen={String(days)}
          onChoose={(value) => filters.set({ days: value })}
        />
        <Loaded query={overTime}>
          {({ data }) => (
            <>
              <Totals figures={sum(data)} />
              <section className="card">
                <h2>{words.overTime}</h2>
                {data.length === 0 ? (
                  <Empty icon="reports" title={words.empty} />
                ) : (
                  <Bars
                    caption={words.overTime}
                    names={{ bar: words.when, all: words.calls, part: words.answered, most: words.most }}
                    bars={withoutGaps(data, days, timeZone).map(({ at, calls, answered }) => ({
                      name: moment(at, days === 1),
                      all: calls,
                      part: answered,
                    }))}
                  />
                )}
              </section>
            </>
          )}
        </Loaded>
        <Choice
          name={words.by}
          choices={groups.map((one) => ({ value: one, name: words.groups[one] }))}
          chosen={group}
          onChoose={(value) => filters.set({ by: value })}
        />
        <Groups key={group} days={days} group={group} />
      </div>
    </Page>
  )
}

type ChoiceProps = {
  name: string
  choices: { value: string; name: string }[]
  chosen: string
  onChoose: (value: string) => void
}

function Choice({ name, choices, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="plain chips" aria-label={name}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="chip"
          aria-pressed={choice.value === chosen}
          onClick={() => onChoose(choice.value)}
        >
          {choice.name}
        </button>
      ))}
    </fieldset>
  )
}

function Totals({ figures: { calls, answered, seconds, cost } }: { figures: Figures }) {
  const words = useWords(reportWords)
  const format = useFormat()
  const shown = [
    { about: words.calls, value: format.count(calls) },
    { about: words.rate, value: calls === 0 ? '–' : format.percent(answered / calls) },
    { about: words.minutes, value: format.count(Math.round(seconds / 60)) },
    { about: words.cost, value: format.money(cost) },
  ]
  return (
    <div className="cards">
      {shown.map(({ about, value }) => (
        <div key={about} className="card figure">
          <div className="about">{about}</div>
          <Value>{value}</Value>
        </div>
      ))}
    </div>
  )
}

function Groups({ days, group }: { days: number; group: Group }) {
  const words = useWords(reportWords)
  const nameOf = useGroupNames(group)
  const nameless = group === 'outcome' ? words.noOutcome : words.noGroup
  const format = useFormat()
  const figures = usePeriod(days, format.timeZone, group)
  const [isWhole, setIsWhole] = useState(false)
  type Row = ReturnType<typeof byGroup>[number]
  const columns: Column<Row>[] = [
    {
      name: words.groups[group],
      cell: (row) => (row.group === null ? nameless : (nameOf(row.group) ?? row.group)),
    },
    {
      name: words.calls,
      className: 'right',
      cell: ({ calls, group: key }) => <CallsOf count={calls} href={callsHref(group, key, days)} />,
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
  return (
    <div className="card flush">
      <Loaded query={figures}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="reports" title={words.empty} />
          ) : (
            <>
              <Table
                caption={words.groups[group]}
                columns={columns}
                rows={byGroup(data).slice(0, isWhole ? undefined : shownGroups)}
                keyOf={(row) => row.group ?? ''}
              />
              {!isWhole && byGroup(data).length > shownGroups && (
                <div className="pager">
                  <button type="button" className="button small" onClick={() => setIsWhole(true)}>
                    {words.showAll(format.count(byGroup(data).length))}
                  </button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

/** D604: from a figure to its calls, where the history has the same filter. */
function CallsOf({ count, href }: { count: number; href: string | undefined }) {
  const format = useFormat()
  return href === undefined ? format.count(count) : <Link href={href}>{format.count(count)}</Link>
}

/** Extensions and users by the names of their people; what is gone keeps its number or id. */
function useGroupNames(group: Group): (key: string) => ReactNode {
  const { causes, type } = useWords(callWords)
  const extensions = useExtensions()
  const { labelOf } = useOutcomes()
  const users = useQuery({
    queryKey: ['users'],
    queryFn: () => must(client.GET('/users')),
    enabled: group === 'user',
  })
  const names: Record<Group, (key: string) => ReactNode> = {
    cause: (key) => causes[key as keyof typeof causes],
    direction: (key) => type[key as keyof typeof type],
    outcome: labelOf,
    user: (key) => users.data?.find(({ uuid }) => uuid === key)?.name,
    extension: (key) => {
      const found = extensions.data?.find(({ ramal }) => ramal === key)
      return found && `${key} ${found.first_name} ${found.last_name}`
    },
  }
  return names[group]
}

/** `at` is local to the account, without an offset: read as UTC and written as UTC it stays the same. */
function moment(at: string, isHour: boolean): string {
  const date = new Date(`${at}Z`)
  const shape = isHour
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ day: '2-digit', month: '2-digit' } as const)
  return new Intl.DateTimeFormat(locale(), { ...shape, timeZone: 'UTC' }).format(date)
}
