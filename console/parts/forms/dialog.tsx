/**
 * A modal dialog: it keeps the focus inside, closes with Escape (on Android also with the button "back") and gives the focus back.
 * D681: not by `showModal`, which makes the page below inert: browsers compute the style of each of its elements anew, twice.
 */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Icon } from '../icon.tsx'

type Props = {
  title: string
  onClose: () => void
  wide?: boolean
  /** Without a way to close it. */
  locked?: boolean
  children: ReactNode
}

export function Dialog({ title, onClose, wide, locked, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(onClose)
  latest.current = onClose
  const heading = useId()
  const words = useWords(commonWords)
  // Before the dialog leaves the document, where the browser could not give the focus back.
  useLayoutEffect(() => {
    const close = () => {
      if (!locked) latest.current()
    }
    return box.current ? keepFocus(box.current, close) : undefined
  }, [locked])
  return createPortal(
    <div ref={box} className="curtain" tabIndex={-1}>
      <dialog open className={wide ? 'dialog wide' : 'dialog'} aria-modal="true" aria-labelledby={heading}>
        <div className="head">
          <h2 id={heading}>{title}</h2>
          {!locked && (
            <button
              type="button"
              className="button plain icon-only"
              onClick={onClose}
              aria-label={words.close}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        <div className="body">{children}</div>
      </dialog>
    </div>,
    document.body,
  )
}

declare global {
  interface Window {
    /** Of Chromium: Escape, and on Android the button "back". */
    CloseWatcher?: new () => { onclose: () => void; destroy: () => void }
  }
}

/** Those that are open; the last one has the keyboard. */
const curtains: HTMLElement[] = []

const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'

/** Takes the focus until the function that is returned gives it back. */
function keepFocus(curtain: HTMLElement, close: () => void): () => void {
  const opener = document.activeElement
  const isTop = () => curtains.at(-1) === curtain
  const find = () =>
    [...curtain.querySelectorAll<HTMLElement>(stops)].filter(
      (stop) => !stop.matches(':disabled') && stop.checkVisibility(),
    )
  const enter = (from: 0 | -1) => (find().at(from) ?? curtain).focus({ preventScroll: true })
  function onKey(event: KeyboardEvent) {
    if (!isTop() || event.defaultPrevented || event.isComposing) return
    if (event.key === 'Escape') {
      // Not also for the watcher.
      event.preventDefault()
      close()
    }
    if (event.key !== 'Tab') return
    const here = document.activeElement
    const last = find().at(event.shiftKey ? 0 : -1)
    if (curtain.contains(here) && here !== curtain && here !== last) return
    event.preventDefault()
    enter(event.shiftKey ? -1 : 0)
  }
  function onFocus({ target }: FocusEvent) {
    if (isTop() && !curtain.contains(target as Node)) enter(0)
  }
  const watcher = window.CloseWatcher && new window.CloseWatcher()
  if (watcher) watcher.onclose = close
  curtains.push(curtain)
  // The first of all, without asking which are seen: the answer would cost a layout of its own.
  const [first = curtain] = curtain.querySelectorAll<HTMLElement>(stops)
  first.focus({ preventScroll: true })
  // For screen readers; what has the focus must not be hidden.
  const below = [...document.body.children].filter((one) => one !== curtain && one.ariaHidden === null)
  for (const one of below) one.ariaHidden = 'true'
  document.addEventListener('keydown', onKey)
  document.addEventListener('focusin', onFocus)
  return () => {
    watcher?.destroy()
    document.removeEventListener('keydown', onKey)
    document.removeEventListener('focusin', onFocus)
    curtains.splice(curtains.indexOf(curtain), 1)
    for (const one of below) one.ariaHidden = null
    if (opener instanceof HTMLElement) opener.focus()
  }
}
