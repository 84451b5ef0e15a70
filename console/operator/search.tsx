/** A search field whose text is in the address, above a list with pages. */
import { SearchInput } from '../parts/forms/search-input.tsx'
import { useFilters } from '../parts/forms/use-filters.ts'

export function Search({ label }: { label: string }) {
  const filters = useFilters()
  return (
    <search className="list-search">
      <SearchInput
        label={label}
        value={filters.read('search')}
        onSearch={(search) => filters.set({ search })}
      />
    </search>
  )
}
