/** Prices of calls: the default deck, and those of single accounts. */
import { useState } from 'react'
import type { OperatorRate } from '../../../src/contract/operator-rates.ts'
import { useFormat } from '../../parts/format.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { useFilters } from '../../parts/forms/use-filters.ts'
import { Icon } from '../../parts/icon.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { type Column, Pager, Table } from '../../parts/table.tsx'
import { language, useWords } from '../../words/language.ts'
import { metaOf, operate, useList } from '../operator-api.ts'
import { Search } from '../search.tsx'
import { operatorWords } from '../words.ts'
import { ImportRates } from './import-rates.tsx'
import { RateTrial } from './rate-trial.tsx'
import { rateWords } from './words.ts'

export function Rates() {
  const words = useWords(operatorWords)
  const own = useWords(rateWords)
  const [isImporting, setIsImporting] = useState(false)
  const filters = useFilters()
  const rates = useList<OperatorRate>('rates', { search: filters.read('search') }, filters.page)
  return (
    <Page
      title={words.rates}
      about={own.about}
      actions={
        <>
          <ExportButton />
          <button type="button" className="button primary" onClick={() => setIsImporting(true)}>
            {own.import}
          </button>
        </>
      }
    >
      <section className="card" aria-label={own.trial}>
        <h2>{own.trial}</h2>
        <RateTrial />
      </section>
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
      {isImporting && <ImportRates onClose={() => setIsImporting(false)} />}
    </Page>
  )
}

/** As a spreadsheet opens it: in Brazil with semicolons and decimal commas. */
function ExportButton() {
  const words = useWords(rateWords)
  const action = useAction({
    run: () =>
      operate<{ csv: string }>(
        'GET',
        `/rates/sheet?separator=${language() === 'pt' ? 'semicolon' : 'comma'}`,
      ),
    refresh: [],
    onDone({ csv }) {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }))
      link.download = words.fileName
      link.click()
      URL.revokeObjectURL(link.href)
    },
  })
  return (
    <button type="button" className="button" disabled={action.isPending} onClick={() => action.mutate()}>
      <Icon name="download" />
      {words.export}
    </button>
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
