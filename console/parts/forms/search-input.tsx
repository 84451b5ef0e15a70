/** A search box: what is typed is reported when the person pauses, and what is set elsewhere appears in it. */
import { type ComponentProps, useEffect, useRef, useState } from 'react'

const pauseMs = 250

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'aria-label' | 'placeholder'> & {
  label: string
  value: string
  onSearch: (text: string) => void
}

export function SearchInput({ label, value, onSearch, ...input }: Props) {
  const [text, setText] = useState(value)
  /** The value reported last: when it comes back, it must not overwrite newer typing. */
  const reported = useRef(value)
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause.
  useEffect(() => {
    if (text === reported.current) return
    const timer = setTimeout(() => {
      reported.current = text
      onSearch(text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <input
      className="input"
      type="search"
      aria-label={label}
      placeholder={label}
      {...input}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
