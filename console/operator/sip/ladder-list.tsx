/** The ladder: a list of messages, each of which is a button that opens its text. */
import './ladder.css'
import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { useWords } from '../../words/language.ts'
import type { Ladder, Participant, Step } from './ladder.ts'
import { MessageDialog } from './message-dialog.tsx'
import { afterText, labelOf, useNames } from './names.ts'
import { sipWords } from './words.ts'

export function LadderList({ ladder: { participants, steps } }: { ladder: Ladder }) {
  const words = useWords(sipWords)
  const names = useNames(participants)
  const [open, setOpen] = useState<Step>()
  return (
    <div className="card ladder" style={{ '--columns': participants.length } as CSSProperties}>
      <ul className="ladder-head" aria-label={words.participants}>
        {participants.map(({ role, address, node }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two sides of a call may have the same address.
          <li key={place}>
            <strong>{words.roles[role]}</strong>
            <span className="faint small">{hasTwin(participants, place) && node ? node : address}</span>
          </li>
        ))}
      </ul>
      <ol aria-label={words.title}>
        {steps.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a call that is over stay as they are.
          <li key={place}>
            <Row step={step} names={names} onOpen={() => setOpen(step)} />
          </li>
        ))}
      </ol>
      {open && <MessageDialog step={open} names={names} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

const hasTwin = (participants: Participant[], place: number) =>
  participants.filter(({ role }) => role === participants[place]?.role).length > 1

type RowProps = { step: Step; names: string[]; onOpen: () => void }

function Row({ step, names, onOpen }: RowProps) {
  const words = useWords(sipWords)
  const { from, to, message, method, response, hasSdp, isRetransmission } = step
  const first = Math.min(from, to)
  const place = { '--first': first, '--span': Math.abs(to - from) } as CSSProperties
  return (
    <button
      type="button"
      className={`ladder-row ${toneOf(step)}`}
      onClick={onOpen}
      onKeyDown={moveFocus}
      style={place}
    >
      <span className="number small faint">{afterText(message.afterMs)}</span>
      <span className="lanes">
        <span className="label">
          <strong>{labelOf(step)}</strong>{' '}
          <span className="visually-hidden">{words.exchanged(names[from] ?? '', names[to] ?? '')}</span>{' '}
          {response && <span className="faint">({method})</span>}{' '}
          {hasSdp && <span className="faint">SDP</span>}{' '}
          {isRetransmission && <span className="badge warn">{words.retransmission}</span>}
        </span>
        <span
          className={`line ${to > from ? 'right' : 'left'}${isRetransmission ? ' again' : ''}`}
          aria-hidden="true"
        />
      </span>
    </button>
  )
}

function toneOf({ response }: Step): string {
  if (!response) return 'request'
  if (response.status < 200) return 'provisional'
  if (response.status < 300) return 'success'
  return response.status < 500 ? 'refusal' : 'failure'
}

/** Up, down, to the first and to the last message. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>) {
  const rows = [...(event.currentTarget.closest('ol')?.querySelectorAll('button') ?? [])]
  const place = rows.indexOf(event.currentTarget)
  const target: Record<string, number> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const next = target[event.key]
  if (next === undefined) return
  event.preventDefault()
  rows[next]?.focus()
}
