/** A dialog with a text that is shown once, to be copied before it is closed. */
import type { ReactNode } from 'react'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Code } from './copy.tsx'
import { Dialog } from './forms/dialog.tsx'

type Props = {
  title: string
  text: string
  onClose: () => void
  /** What the text is for. */
  children: ReactNode
}

export function ShownOnce({ title, text, onClose, children }: Props) {
  const words = useWords(commonWords)
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {children}
        <Code text={text} />
        <div className="foot">
          <button type="button" className="button primary" onClick={onClose}>
            {words.close}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
