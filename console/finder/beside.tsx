/** Parts of every page that load after it: the phone, and the search for anything (D603). */
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadPart } from '../parts/load-part.ts'
import Dock from '../phone/dock.tsx'

/** Loaded when it is opened first. */
const Finder = lazy(() => loadPart(() => import('./finder.tsx')))

export default function Beside() {
  return (
    <>
      <Dock />
      <Find />
    </>
  )
}

/** Ctrl and K, or Command and K. */
function Find() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
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
