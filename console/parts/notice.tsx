/** Short messages: one in the page, and one that appears at the bottom for a moment and is read aloud. */
import { type ReactNode, useSyncExternalStore } from 'react'
import { sentenceOf } from '../api.ts'

type Tone = 'info' | 'good' | 'warn' | 'bad'

export function Notice({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <div>{children}</div>
    </div>
  )
}

/** Why a request was refused; nothing while there is no error. */
export function Refused({ error }: { error: unknown }) {
  return error ? <Notice tone="bad">{sentenceOf(error)}</Notice> : null
}

type Toast = { id: number; text: string }
let toasts: Toast[] = []
let last = 0
const listeners = new Set<() => void>()
const shownMs = 4_000

function show(next: Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(text: string) {
  last += 1
  const id = last
  show([...toasts, { id, text }])
  setTimeout(() => show(toasts.filter((one) => one.id !== id)), shownMs)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text }) => (
        <div key={id} className="toast">
          {text}
        </div>
      ))}
    </div>
  )
}
