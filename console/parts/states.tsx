/** What stands in place of data: loading, nothing there, an error. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { sentenceOf } from '../api.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Icon, type IconName } from './icon.tsx'

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const words = useWords(commonWords)
  return (
    <div className="empty" role="alert">
      <Icon name="warning" />
      <h2>{words.failed}</h2>
      <p>{sentenceOf(error)}</p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          <Icon name="refresh" />
          {words.retry}
        </button>
      )}
    </div>
  )
}

/** Rows of a table, as high as they will be, so that nothing jumps. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  const words = useWords(commonWords)
  return (
    <div role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        <span key={line} className="skeleton" />
      ))}
    </div>
  )
}

/** A page before its code is there: the title, and what is below it. */
export function PageSkeleton() {
  return (
    <>
      <span className="skeleton page-head" />
      <div className="card flush">
        <Skeleton lines={8} />
      </div>
    </>
  )
}

type Loaded<T> = {
  query: UseQueryResult<T>
  lines?: number
  /** A skeleton that resembles the data more than lines do. */
  skeleton?: ReactNode
  children: (data: T) => ReactNode
}

/** The data of a query, or what stands in its place. */
export function Loaded<T>({ query, lines, skeleton, children }: Loaded<T>) {
  // D670: what was answered first is drawn in pieces, between which clicks and keys are answered.
  const hasData = useDeferredValue(query.data !== undefined)
  if (hasData && query.data !== undefined) return children(query.data)
  if (query.error && query.data === undefined)
    return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return skeleton ?? <Skeleton {...(lines !== undefined && { lines })} />
}
