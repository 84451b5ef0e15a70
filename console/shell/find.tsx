/** Ctrl and K, or Command and K, open the search for anything (D603), from the first moment of the page on. */
import { lazy, Suspense, useLayoutEffect, useState } from 'react'
import { loadPart } from '../parts/load-part.ts'

/** Loaded when it is opened first. */
const Finder = lazy(() => loadPart(() => import('../finder/finder.tsx')))

export function Find() {
  const [isOpen, setIsOpen] = useState(false)
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setIsOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return isOpen ? (
    <Suspense>
      <Finder onClose={() => setIsOpen(false)} />
    </Suspense>
  ) : null
}
