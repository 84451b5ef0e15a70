/** How many callers nobody has called back: in the title of the tab, and as a link beside the phone (D600). */
import { useEffect } from 'react'
import { Link } from 'wouter'
import { useMissed } from '../../missed.ts'
import { markTitle } from '../../parts/page.tsx'
import { useWords } from '../../words/language.ts'
import { phoneWords } from '../words.ts'

export function useMissedCount(): number {
  const open = useMissed().data?.open ?? 0
  useEffect(() => {
    markTitle(open === 0 ? '' : `(${open}) `)
    return () => markTitle('')
  }, [open])
  return open
}

export function MissedLink({ count }: { count: number }) {
  const words = useWords(phoneWords)
  if (count === 0) return null
  return (
    <Link href="/missed" className="badge warn" data-missed={count}>
      {words.missed(count)}
    </Link>
  )
}
