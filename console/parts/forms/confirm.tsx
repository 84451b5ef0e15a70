/** Asks before something that cannot be undone. */
import type { ReactNode } from 'react'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  action: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

export function Confirm({ title, action, isBusy, onConfirm, onClose, children }: Props) {
  const words = useWords(commonWords)
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {children}
        <div className="foot">
          <button type="button" className="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="button" className="button danger" disabled={isBusy} onClick={onConfirm}>
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
