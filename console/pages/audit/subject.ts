/** The subject of a log entry, as people write it. */
import { telephone } from '../../parts/telephone.ts'
import { useWords } from '../../words/language.ts'
import { auditWords } from './words.ts'

type Entry = { action: string; subject: string | null }

/** The subject of an adjustment is its reference in the ledger, which says nothing to people. */
const unnamed = 'credit.adjusted'

export function useSubject() {
  const words = useWords(auditWords)
  return ({ action, subject }: Entry): string | null => {
    if (subject === null || action === unnamed) return null
    if (action.startsWith('number.')) return telephone(subject)
    return action.startsWith('charge.') ? words.charge(subject) : subject
  }
}
