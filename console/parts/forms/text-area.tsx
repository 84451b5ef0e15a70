/** A labelled text of several lines, its hint, and what the service said is wrong with it. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { About, useProblem } from './field.tsx'

type Props = { label: string; hint?: ReactNode } & ComponentProps<'textarea'>

export function TextArea({ label, hint, ...textarea }: Props) {
  const id = useId()
  const problem = useProblem(textarea.name, undefined)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about`}
        {...textarea}
      />
      <About id={`${id}-about`} hint={hint} problem={problem} />
    </div>
  )
}
