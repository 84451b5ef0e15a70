/** Rows with a search box above and pages below, both in the address; short lists have neither. */
import { type ReactNode, useMemo } from 'react'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { SearchInput } from './forms/search-input.tsx'
import { useFilters } from './forms/use-filters.ts'
import { pageOf, searchRows } from './search.ts'
import { Pager, rowsPerPage } from './table.tsx'

const minSearched = 10

type Props<T> = {
  rows: T[]
  /** The text of a row that is searched. */
  textOf: (row: T) => string
  label: string
  itemsPerPage?: number
  /** Where a page has two lists, the one that has its own place in the address. */
  name?: string
  /** Rows that come and go would make the search appear and move what is below it. */
  isLive?: boolean
  children: (rows: T[]) => ReactNode
}

export function Searched<T>({
  rows,
  textOf,
  label,
  itemsPerPage = rowsPerPage,
  name = '',
  isLive,
  children,
}: Props<T>) {
  const words = useWords(commonWords)
  const { read, set, page, setPage } = useFilters(`${name}page`)
  const key = `${name}q`
  const search = read(key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of a row stays the same.
  const found = useMemo(() => searchRows(rows, search, textOf), [rows, search])
  // The same rows stay the same list: a table of them is not rendered again.
  const { rows: shown, meta } = useMemo(() => pageOf(found, page, itemsPerPage), [found, page, itemsPerPage])
  return (
    <>
      {(isLive || rows.length > minSearched || search !== '') && (
        <search className="list-search">
          <SearchInput label={label} value={search} onSearch={(text) => set({ [key]: text })} />
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
