/** A number, the keys, and the button that calls. */
import { type FormEvent, useId, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useWords } from '../words/language.ts'
import { noteField } from './dial-focus.ts'
import { Keypad } from './keypad.tsx'
import { phone } from './phone.ts'
import { usePhone } from './state.ts'
import { Suggestions } from './suggestions.tsx'
import { phoneWords } from './words.ts'

export function Dialer({ withKeys }: { withKeys?: boolean }) {
  const words = useWords(phoneWords)
  const { registration, call } = usePhone()
  const [number, setNumber] = useState('')
  const people = useId()
  const field = useRef<HTMLInputElement>(null)
  function dial(event: FormEvent) {
    event.preventDefault()
    if (number.trim() === '') return
    noteField(field.current)
    phone()?.dial(number)
  }
  /** In a call the keys are tones. */
  function onKey(key: string) {
    if (!call) setNumber(`${number}${key}`)
    else if (call.state === 'talking') phone()?.press(key)
  }
  return (
    <form className="stack" style={{ gap: '.75rem' }} onSubmit={dial}>
      <input
        ref={field}
        className="input dial-number"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        list={people}
        aria-label={words.number}
        placeholder={words.number}
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <Suggestions id={people} typed={number} />
      {withKeys && <Keypad onKey={onKey} />}
      <button
        type="submit"
        className="button primary"
        disabled={registration !== 'ready' || call !== undefined}
      >
        <Icon name="calls" />
        {words.call}
      </button>
    </form>
  )
}
