/** Why a call ended; of one that was not answered also on whose side (D584). */
import type { CallRecord } from '../../api-types.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

type EndedCall = Pick<CallRecord, 'hangup_cause' | 'ended_by' | 'answered_at'>

export function useEndCause(): (call: EndedCall) => string | undefined {
  const { causes } = useWords(callWords)
  const { parties } = useWords(callPageWords)
  return ({ hangup_cause, ended_by, answered_at }) => {
    if (hangup_cause === null) return undefined
    const cause = causes[hangup_cause as keyof typeof causes] ?? hangup_cause
    return ended_by === null || answered_at !== null ? cause : `${cause} (${parties[ended_by]})`
  }
}
