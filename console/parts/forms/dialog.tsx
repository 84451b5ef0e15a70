/** A modal dialog of the browser: it keeps the focus inside, closes with Escape and gives the focus back. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
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
  const box = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const words = useWords(commonWords)
  // Before the dialog leaves the document, where the browser could not give the focus back.
  useLayoutEffect(() => {
    const dialog = box.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={box}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
    >
      <div className="head">
        <h2 id={heading}>{title}</h2>
        {!locked && (
          <button type="button" className="button plain icon-only" onClick={onClose} aria-label={words.close}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <div className="body">{children}</div>
    </dialog>
  )
}
