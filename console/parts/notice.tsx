/** Short messages in the page. */
import type { ReactNode } from 'react'
import { sentenceOf } from '../api.ts'

type Tone = 'info' | 'good' | 'warn' | 'bad'

export function Notice({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <div>{children}</div>
    </div>
  )
}

/** Why a request was refused. The live region is there before the error: screen readers pass over one that comes with its text. */
export function Refused({ error }: { error: unknown }) {
  return (
    <div role="alert" className="refused">
      {error ? <div className="notice bad">{sentenceOf(error)}</div> : null}
    </div>
  )
}
