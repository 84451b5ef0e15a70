/** Colleagues whom a call can be transferred to, with what each does now; one is chosen by click or key. */
import { useId, useRef } from 'react'
import { useOwnExtension } from '../own-extension.ts'
import { useWords } from '../words/language.ts'
import { peopleWords } from '../words/people.ts'
import { usePresences } from './presences.ts'

/** More do not fit beside the call; typing leaves fewer. */
const maxShown = 50

const badges = {
  free: 'badge good',
  ringing: 'badge warn',
  'in-call': 'badge warn',
  'do-not-disturb': 'badge bad',
  offline: 'badge',
} as const

type Props = { typed: string; onChoose: (ramal: string) => void }

export function Colleagues({ typed, onChoose }: Props) {
  const words = useWords(peopleWords)
  const own = useOwnExtension()
  const heading = useId()
  const list = useRef<HTMLUListElement>(null)
  const text = typed.trim().toLocaleLowerCase()
  const found = usePresences(true)
    .filter(({ id }) => id !== own?.id)
    .filter((one) => `${one.ramal} ${one.first_name} ${one.last_name}`.toLocaleLowerCase().includes(text))
    // Colleagues with a registered phone first. The start or end of a call does not change the order.
    .toSorted((one, other) => Number(one.presence === 'offline') - Number(other.presence === 'offline'))
  if (found.length === 0) return null

  function move(key: string, from: Element) {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(from as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[key]
    if (to === undefined) return false
    buttons[Math.max(0, Math.min(to, buttons.length - 1))]?.focus()
    return true
  }

  return (
    <div className="stack" style={{ gap: '.35rem' }}>
      <span className="faint small" id={heading}>
        {words.colleagues}
      </span>
      <ul
        className="colleagues"
        ref={list}
        aria-labelledby={heading}
        onKeyDown={(event) => {
          if (move(event.key, event.target as Element)) event.preventDefault()
        }}
      >
        {found.slice(0, maxShown).map(({ id, ramal, first_name, last_name, presence }) => (
          <li key={id}>
            <button type="button" data-presence={presence} onClick={() => onChoose(ramal)}>
              <span className="number">{ramal}</span>
              <span>{`${first_name} ${last_name}`}</span>
              <span className={badges[presence]}>
                <span className="dot" />
                {words.presence[presence]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
