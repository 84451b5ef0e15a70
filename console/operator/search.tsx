/** A search field whose text is in the address, above a list with pages. */
import { useEffect, useState } from 'react'
import { Field } from '../parts/forms/field.tsx'
import { useFilters } from '../parts/forms/use-filters.ts'

const pauseMs = 300

/** Searches when the person stops typing. */
export function Search({ label, hint }: { label: string; hint?: string }) {
  const filters = useFilters()
  const shown = filters.read('search')
  const [text, setText] = useState(shown)
  useEffect(() => {
    if (text === shown) return
    const timer = setTimeout(() => filters.set({ search: text }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, shown, filters])
  return (
    <search className="search-row">
      <Field
        label={label}
        hint={hint}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </search>
  )
}
