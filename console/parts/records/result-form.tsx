/** Form for the result of a call (D592): an outcome by a digit, tags and notes, saved by Enter. */
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { request } from '../../api.ts'
import type { CallDetail } from '../../api-types.ts'
import { useWords } from '../../words/language.ts'
import { resultWords } from '../../words/results.ts'
import { Field } from '../forms/field.tsx'
import { useAction } from '../forms/use-action.ts'
import { useOutcomes } from './outcomes.ts'

type Result = Pick<CallDetail, 'id' | 'outcome' | 'tags' | 'notes'>

type Props = {
  call: Result
  /** Digits choose an outcome wherever the focus is, unless something is typed, and Enter saves. */
  takesKeys?: boolean
  more?: ReactNode
  onSaved?: () => void
}

export function ResultForm({ call, takesKeys = false, more, onSaved }: Props) {
  const words = useWords(resultWords)
  const { outcomes } = useOutcomes()
  const [outcome, setOutcome] = useState(call.outcome)
  const [tags, setTags] = useState(call.tags.join(', '))
  const [notes, setNotes] = useState(call.notes)
  const notesField = useRef<HTMLTextAreaElement>(null)
  const notesId = useId()
  const save = useAction({
    async run() {
      await request('PATCH', '/calls/{id}', { path: { id: call.id }, body: bodyOf() })
      // Now: the next call does not wait until the lists are read again.
      onSaved?.()
    },
    refresh: [['call', call.id], ['calls'], ['stats'], ['contact calls']],
    done: words.saved,
  })
  function bodyOf() {
    const texts = tags.split(',').map((tag) => tag.trim())
    return { outcome, tags: texts.filter(Boolean), notes }
  }
  useDigits(takesKeys, (digit) => {
    const chosen = outcomes[digit - 1]
    if (!chosen) return
    setOutcome(chosen.key)
    notesField.current?.focus()
  })
  /** Shift and Enter begin a new line. */
  function saveByEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    save.mutate()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="stack" style={{ gap: '.75rem' }} onSubmit={submit}>
      <fieldset className="chips">
        <legend className="visually-hidden">{words.outcomes}</legend>
        {outcomes.map(({ key, label }, index) => (
          <button
            key={key}
            type="button"
            className="chip"
            aria-pressed={outcome === key}
            onClick={() => setOutcome(outcome === key ? null : key)}
          >
            {takesKeys && index < 9 && <kbd>{index + 1}</kbd>} {label}
          </button>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={notesId}>{words.notes}</label>
        <textarea
          id={notesId}
          ref={notesField}
          className="input"
          rows={takesKeys ? 2 : 4}
          maxLength={4000}
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
          onKeyDown={takesKeys ? saveByEnter : undefined}
        />
      </div>
      <Field
        label={words.tags}
        name="tags"
        hint={words.tagsHint}
        autoComplete="off"
        value={tags}
        onChange={(event) => setTags(event.target.value)}
      />
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending}>
          {words.save}
        </button>
        {more}
      </div>
    </form>
  )
}

function useDigits(isOn: boolean, onDigit: (digit: number) => void) {
  const latest = useRef(onDigit)
  latest.current = onDigit
  useEffect(() => {
    if (!isOn) return
    function onKey(event: globalThis.KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return
      if ((event.target as HTMLElement).closest('input, textarea, select, .curtain')) return
      event.preventDefault()
      latest.current(Number(event.key))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}
