/** A form that is sent to the service: its fields show what is wrong with them, its buttons stand at the end. */
import type { ReactNode } from 'react'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Refused } from '../notice.tsx'
import { FieldProblems } from './field.tsx'
import type { useForm } from './use-form.ts'

type Props = {
  form: ReturnType<typeof useForm>
  /** The name of the button that sends it. */
  action: string
  /** In a dialog. */
  onCancel?: () => void
  /** Beside the buttons. */
  more?: ReactNode
  children: ReactNode
}

export function Form({ form, action, onCancel, more, children }: Props) {
  const words = useWords(commonWords)
  return (
    <FieldProblems value={form.problem}>
      <form className="form" onSubmit={form.onSubmit}>
        {children}
        <Refused error={form.error} />
        <div className={onCancel ? 'foot' : 'row'}>
          {onCancel && (
            <button type="button" className="button" onClick={onCancel}>
              {words.cancel}
            </button>
          )}
          <button type="submit" className="button primary" disabled={form.isBusy}>
            {action}
          </button>
          {more}
        </div>
      </form>
    </FieldProblems>
  )
}
