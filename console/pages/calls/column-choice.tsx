/** Which columns the history shows; kept in this browser. */
import { useId } from 'react'
import { Check } from '../../parts/forms/field.tsx'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

/** By the names of the columns in the code: their titles change with the language. */
const key = 'ramal.calls.hidden-columns'

export function readColumns(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

type Props = {
  columns: { id: string; name: string; hideName?: boolean }[]
  hidden: string[]
  onChange: (hidden: string[]) => void
}

export function ColumnChoice({ columns, hidden, onChange }: Props) {
  const words = useWords(callPageWords)
  const id = useId()
  function toggle(id: string) {
    const next = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]
    localStorage.setItem(key, JSON.stringify(next))
    onChange(next)
  }
  return (
    <>
      <button type="button" className="button hide-narrow" popoverTarget={id}>
        {words.columns}
      </button>
      <div id={id} popover="auto" className="menu">
        <div className="stack" style={{ gap: '.5rem', padding: '.4rem' }}>
          {columns
            .filter(({ hideName }) => !hideName)
            .map(({ id: column, name }) => (
              <Check
                key={column}
                label={name}
                checked={!hidden.includes(column)}
                onChange={() => toggle(column)}
              />
            ))}
        </div>
      </div>
    </>
  )
}
