/** The frame of pages for people who have not signed in. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Loaded } from '../parts/states.tsx'
import { LanguageChoice } from './language-choice.tsx'

type Props = { title: string; about?: string; wide?: boolean; children: ReactNode }

export function Outside({ title, about, wide, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Ramal`
  }, [title])
  return (
    <main className="outside">
      <span className="brand">
        <img src="/console/icon.svg" alt="" />
        Ramal
      </span>
      <div className={wide ? 'card wide stack' : 'card stack'}>
        <div>
          <h1>{title}</h1>
          {about && <p className="faint">{about}</p>}
        </div>
        {children}
      </div>
      <LanguageChoice />
      <StatusLink />
    </main>
  )
}

type LoadedProps<T> = { query: UseQueryResult<T>; children: (data: T) => ReactNode }

/** Shows a loading state until the session is known. Later errors keep the page. */
export function LoadedOutside<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <main className="outside">
      <div className="card">
        <Loaded query={query} lines={3}>
          {children}
        </Loaded>
      </div>
      <StatusLink />
    </main>
  )
}

/** The word is the same in both languages. */
function StatusLink() {
  return (
    <a className="small" href="/status">
      Status
    </a>
  )
}
