/** Filters that are part of the address: a page that is reloaded or sent to somebody shows the same. */
import { useSearchParams } from 'wouter'

/** `pageName`: of the parameter that has the page. */
export function useFilters(pageName = 'page') {
  const [params, setParams] = useSearchParams()

  /** Sets a filter, or removes it with the empty string; the first page is shown again. */
  function set(changes: Record<string, string>) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete(pageName)
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
    page: Math.max(1, Number(params.get(pageName)) || 1),
    isEmpty: [...params.keys()].every((name) => name === pageName),
    set,
    setPage: (page: number) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        next.set(pageName, String(page))
        return next
      }),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  }
}
