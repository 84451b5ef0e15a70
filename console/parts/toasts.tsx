/** Messages at the bottom, read aloud: what was done for a moment, an error until it is closed. */
import { useSyncExternalStore } from 'react'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Icon } from './icon.tsx'

type Toast = { id: number; text: string; isError: boolean }
let toasts: Toast[] = []
let last = 0
const listeners = new Set<() => void>()
const shownMs = 4_000

function show(next: Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function add(text: string, isError: boolean): number {
  last += 1
  show([...toasts.filter((one) => one.text !== text), { id: last, text, isError }])
  return last
}

const remove = (id: number) => show(toasts.filter((one) => one.id !== id))

export function toast(text: string) {
  const id = add(text, false)
  setTimeout(() => remove(id), shownMs)
}

/** Stays until it is closed. */
export const toastError = (text: string) => void add(text, true)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const words = useWords(commonWords)
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts">
      <div role="alert">
        {shown
          .filter(({ isError }) => isError)
          .map(({ id, text }) => (
            <div key={id} className="toast error">
              <span>{text}</span>
              <button
                type="button"
                className="button plain icon-only small"
                aria-label={words.close}
                onClick={() => remove(id)}
              >
                <Icon name="close" />
              </button>
            </div>
          ))}
      </div>
      <div role="status">
        {shown
          .filter(({ isError }) => !isError)
          .map(({ id, text }) => (
            <div key={id} className="toast">
              {text}
            </div>
          ))}
      </div>
    </div>
  )
}
