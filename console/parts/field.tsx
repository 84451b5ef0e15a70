/** A labelled input, its hint, and what the service said is wrong with it. */
import { type ComponentProps, type ReactNode, useId } from 'react'

type Common = { label: string; hint?: ReactNode; problem?: string | undefined }

export function Field({ label, hint, problem, ...input }: Common & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about`}
        {...input}
      />
      <About id={`${id}-about`} hint={hint} problem={problem} />
    </div>
  )
}

type Choice = { value: string; name: string }

export function SelectField({
  label,
  hint,
  problem,
  choices,
  ...select
}: Common & { choices: Choice[] } & ComponentProps<'select'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="input"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about`}
        {...select}
      >
        {choices.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <About id={`${id}-about`} hint={hint} problem={problem} />
    </div>
  )
}

function About({ id, hint, problem }: { id: string; hint: ReactNode; problem: string | undefined }) {
  return (
    <div id={id} className={hint || problem ? undefined : 'visually-hidden'}>
      {problem !== undefined && (
        <p className="problem">
          <span aria-hidden="true">• </span>
          {problem}
        </p>
      )}
      {hint && problem === undefined && <div className="hint">{hint}</div>}
    </div>
  )
}

export function Check({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>
        {label}
        {hint && <span className="faint small"> {hint}</span>}
      </span>
    </label>
  )
}
