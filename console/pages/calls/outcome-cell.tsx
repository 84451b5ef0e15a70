/** The outcome of a call in the history; who may change the result of the call does it in a dialog (D592). */
import { useState } from 'react'
import type { ListedCall } from '../../api-types.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { useMayChangeResult, useOutcomes } from '../../parts/records/outcomes.ts'
import { ResultForm } from '../../parts/records/result-form.tsx'
import { useWords } from '../../words/language.ts'
import { resultWords } from '../../words/results.ts'

type Props = {
  call: Pick<ListedCall, 'id' | 'outcome' | 'tags' | 'notes' | 'user_uuid' | 'extension_user_uuid'>
}

export function OutcomeCell({ call }: Props) {
  const words = useWords(resultWords)
  const { labelOf } = useOutcomes()
  const mayChange = useMayChangeResult(call)
  const [isOpen, setIsOpen] = useState(false)
  const { id, outcome = null, tags = [], notes = '' } = call
  const label = outcome === null ? undefined : labelOf(outcome)
  if (!mayChange) return label ?? ''
  const close = () => setIsOpen(false)
  return (
    <>
      <button
        type="button"
        className="button plain small"
        aria-label={words.change(label ?? words.choose)}
        onClick={() => setIsOpen(true)}
      >
        {label ?? <span className="faint">{words.choose}</span>}
      </button>
      {isOpen && (
        <Dialog title={words.outcomes} onClose={close}>
          <ResultForm call={{ id, outcome, tags, notes }} onSaved={close} />
        </Dialog>
      )}
    </>
  )
}
