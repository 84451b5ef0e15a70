/** How many callers nobody has called back: in the title of the tab, and as a link beside the phone (D600). */
import { useEffect } from 'react'
import { Link } from 'wouter'
import { useMissed } from '../../missed.ts'
import { markTitle } from '../../parts/page.tsx'
import { useWords } from '../../words/language.ts'
import { phoneWords } from '../words.ts'

/** A lower bound if there are very many, as "950+" (D676); undefined if there are none. */
export function useMissedCount(): string | undefined {
  const { open = 0, openIsLowerBound } = useMissed().data ?? {}
  const count = open === 0 ? undefined : `${open}${openIsLowerBound ? '+' : ''}`
  useEffect(() => {
    markTitle(count === undefined ? '' : `(${count}) `)
    return () => markTitle('')
  }, [count])
  return count
}

export function MissedLink({ count }: { count: string | undefined }) {
  const words = useWords(phoneWords)
  if (count === undefined) return null
  return (
    <Link href="/missed" className="badge warn" data-missed={count}>
      {words.missed(count)}
    </Link>
  )
}
