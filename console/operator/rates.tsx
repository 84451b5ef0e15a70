/** What calls cost: the default deck, and those of single accounts. */
import type { OperatorRate } from '../../src/contract/operator.ts'
import { useFormat } from '../parts/format.ts'
import { useFilters } from '../parts/forms/use-filters.ts'
import { Page } from '../parts/page.tsx'
import { Empty, Loaded } from '../parts/states.tsx'
import { type Column, Pager, Table } from '../parts/table.tsx'
import { useWords } from '../words/language.ts'
import { metaOf, useList } from './operator-api.ts'
import { Search } from './search.tsx'
import { operatorWords } from './words.ts'

export function Rates() {
  const words = useWords(operatorWords)
  const filters = useFilters()
  const rates = useList<OperatorRate>('rates', filters.read('search'), filters.page)
  return (
    <Page title={words.rates} about={words.ratesAbout}>
      <div className="card flush">
        <Search label={words.searchRates} />
        <Loaded query={rates}>
          {(page) =>
            page.rows.length === 0 ? (
              <Empty icon="search" title={words.nothingFound} />
            ) : (
              <>
                <RateTable rows={page.rows} />
                <Pager meta={metaOf(page)} onPage={filters.setPage} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

function RateTable({ rows }: { rows: OperatorRate[] }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  const columns: Column<OperatorRate>[] = [
    { name: words.prefix, cell: ({ prefix }) => <strong className="number">+{prefix}</strong> },
    { name: words.destination, cell: ({ name }) => name },
    {
      name: words.account,
      className: 'hide-narrow',
      cell: ({ domain }) => (domain === '' ? <span className="faint">{words.everyAccount}</span> : domain),
    },
    {
      name: words.minutePrice,
      className: 'right number',
      cell: ({ minutePrice }) => format.price(minutePrice),
    },
    {
      name: words.blocks,
      className: 'right number hide-narrow',
      cell: ({ firstBlock, step }) => `${firstBlock} / ${step} s`,
    },
    {
      name: words.valid,
      className: 'number hide-narrow',
      cell: ({ from, until }) => (until ? `${format.day(from)} – ${format.day(until)}` : format.day(from)),
    },
  ]
  return (
    <Table
      caption={words.rates}
      columns={columns}
      rows={rows}
      keyOf={({ domain, prefix, from }) => `${domain} ${prefix} ${from}`}
    />
  )
}
