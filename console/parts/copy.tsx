/** A value with a button that copies it. */
import { useState } from 'react'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Icon } from './icon.tsx'
import { RowButton } from './row-actions.tsx'

function useCopy(text: string) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return [copied, copy] as const
}

export function Copy({ text, label }: { text: string; label?: string }) {
  const words = useWords(commonWords)
  const [copied, copy] = useCopy(text)
  return (
    <button type="button" className="button small" onClick={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? words.copied : (label ?? words.copy)}</span>
    </button>
  )
}

/** At the end of a row; `name` says what is copied. */
export function CopyInRow({ text, name }: { text: string; name: string }) {
  const [copied, copy] = useCopy(text)
  return <RowButton icon={copied ? 'check' : 'copy'} name={name} onClick={() => void copy()} />
}

/** A block of text to be copied. */
export function Code({ text }: { text: string }) {
  return (
    <div className="stack" style={{ gap: '.5rem' }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard. */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
      <div>
        <Copy text={text} />
      </div>
    </div>
  )
}
