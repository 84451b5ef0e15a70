/** Filters that are part of the address: a page that is reloaded or sent to somebody shows the same. */
import { useSearchParams } from 'wouter'

export function useFilters() {
  const [params, setParams] = useSearchParams()

  /** Sets a filter, or removes it with the empty string; the first page is shown again. */
  function set(changes: Record<string, string>) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete('page')
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  }

  return {
    read: (name: string) => params.get(name) ?? '',
    page: Math.max(1, Number(params.get('page')) || 1),
    isEmpty: [...params.keys()].every((name) => name === 'page'),
    set,
    setPage: (page: number) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        next.set('page', String(page))
        return next
      }),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  }
}
