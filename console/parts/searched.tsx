/** Rows with a search box above and pages below, both in the address; short lists have neither. */
import type { ReactNode } from 'react'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { SearchInput } from './forms/search-input.tsx'
import { useFilters } from './forms/use-filters.ts'
import { pageOf, searchRows } from './search.ts'
import { Pager } from './table.tsx'

const minSearched = 10

type Props<T> = {
  rows: T[]
  /** The text of a row that is searched. */
  textOf: (row: T) => string
  label: string
  itemsPerPage?: number
  children: (rows: T[]) => ReactNode
}

export function Searched<T>({ rows, textOf, label, itemsPerPage = 50, children }: Props<T>) {
  const words = useWords(commonWords)
  const { read, set, page, setPage } = useFilters()
  const search = read('q')
  const found = searchRows(rows, search, textOf)
  const { rows: shown, meta } = pageOf(found, page, itemsPerPage)
  return (
    <>
      {(rows.length > minSearched || search !== '') && (
        <search className="list-search">
          <SearchInput label={label} value={search} onSearch={(q) => set({ q })} />
        </search>
      )}
      <p className="visually-hidden" role="status">
        {search === '' ? '' : words.items(String(found.length))}
      </p>
      {found.length === 0 ? <p className="faint list-search">{words.nothingFound}</p> : children(shown)}
      {meta.totalPageCount > 1 && <Pager meta={meta} onPage={setPage} />}
    </>
  )
}
