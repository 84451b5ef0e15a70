/** Search for anything (D603): a box and a list; arrows choose, Enter does it, Escape closes. */
import '../look/finder.css'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../parts/forms/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { useWords } from '../words/language.ts'
import { type Found, useFound } from './use-found.ts'
import { finderWords } from './words.ts'

export default function Finder({ onClose }: { onClose: () => void }) {
  const words = useWords(finderWords)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = useFound(typed)
  const listId = useId()
  const box = useRef<HTMLInputElement>(null)
  // After the dialog has opened, which gives the focus to its first button.
  useEffect(() => box.current?.focus(), [])
  const current = Math.min(chosen, found.length - 1)
  const optionId = (index: number) => `${listId}-${index}`

  function run(one: Found | undefined) {
    if (!one) return
    onClose()
    one.run()
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      const next = (current + step + found.length) % found.length
      setChosen(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(found[current])
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="stack">
        <input
          className="input"
          role="combobox"
          aria-label={words.hint}
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-activedescendant={found.length > 0 ? optionId(current) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          ref={box}
          placeholder={words.hint}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
        <p className="visually-hidden" role="status">
          {found.length === 0 ? words.none : words.found(found.length)}
        </p>
        {found.length === 0 && <p className="faint">{words.none}</p>}
        <div id={listId} role="listbox" aria-label={words.results} className="found">
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the box, which keeps the focus.
            <div
              key={one.key}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className="nav-link"
              onClick={() => run(one)}
            >
              <Icon name={one.icon} />
              <span>{one.name}</span>
              {one.about && <span className="faint small">{one.about}</span>}
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
