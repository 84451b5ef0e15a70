/** A link from a call to its SIP messages (D660). */
import { Link } from 'wouter'
import { telephone } from '../parts/telephone.ts'
import { useWords } from '../words/language.ts'
import { operatorWords } from './words.ts'

export const sipPath = (id: string) => `/calls/${id}/sip`

export function SipLink({ call: { id, from, to } }: { call: { id: string; from: string; to: string } }) {
  const words = useWords(operatorWords)
  return (
    <Link
      href={sipPath(id)}
      className="button small"
      aria-label={`${words.sipMessages} ${telephone(from)} – ${telephone(to)}`}
    >
      SIP
    </Link>
  )
}
