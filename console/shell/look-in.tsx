/** The bar over every page while the operator looks at an account as one of its users sees it (D647). */
import { request } from '../api.ts'
import type { Session } from '../api-types.ts'
import { useFormat } from '../parts/format.ts'
import { useWords } from '../words/language.ts'
import { lookInWords } from './look-in-words.ts'

export function LookInBar({ session: { user, account, lookIn } }: { session: Session }) {
  const words = useWords(lookInWords)
  const format = useFormat()
  async function end() {
    await request('DELETE', '/console/session')
    window.location.assign(`/operator/accounts/${encodeURIComponent(account.domain)}`)
  }
  if (!lookIn) return null
  return (
    <aside className="look-in-bar">
      {words.about(user.email, format.time(lookIn.until))}{' '}
      <button type="button" className="button small" onClick={end}>
        {words.end}
      </button>
    </aside>
  )
}
