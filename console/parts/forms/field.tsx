/** A labelled input, its hint, and what the service said is wrong with it. */
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'

/** What is wrong with a field, by its name; of the form around it. */
export const FieldProblems = createContext<(field: string) => string | undefined>(() => undefined)

export function useProblem(name: string | undefined, given: string | undefined): string | undefined {
  const problemOf = use(FieldProblems)
  return given ?? (name === undefined ? undefined : problemOf(name))
}

type Common = { label: string; hint?: ReactNode; problem?: string | undefined }

export function Field({ label, hint, problem: given, ...input }: Common & ComponentProps<'input'>) {
  const id = useId()
  const problem = useProblem(input.name, given)
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

type Choice = {
  value: string
  name: string
  /** Under which it is listed, in a list where all have one. */
  group?: string
}

export function SelectField({
  label,
  hint,
  problem: given,
  choices,
  ...select
}: Common & { choices: Choice[] } & ComponentProps<'select'>) {
  const id = useId()
  const problem = useProblem(select.name, given)
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
        <Options choices={choices} />
      </select>
      <About id={`${id}-about`} hint={hint} problem={problem} />
    </div>
  )
}

function Options({ choices }: { choices: Choice[] }) {
  const groups = new Set(choices.map(({ group }) => group))
  return [...groups].map((group) => {
    const listed = choices
      .filter((one) => one.group === group)
      .map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))
    return group === undefined ? (
      listed
    ) : (
      <optgroup key={group} label={group}>
        {listed}
      </optgroup>
    )
  })
}

export function About({ id, hint, problem }: { id: string; hint: ReactNode; problem: string | undefined }) {
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
