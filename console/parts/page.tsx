/** The frame of a page: its title, which is also the tab's, and what can be done on it. */
import '../look/page.css'
import { type ReactNode, useEffect, useRef } from 'react'

type Props = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }

let isFirst = true
/** Before the title of the tab, such as a count. */
let titleMark = ''
let shownTitle = ''

function writeTitle() {
  document.title = `${titleMark}${shownTitle} · Ramal`
}

export function markTitle(mark: string) {
  titleMark = mark
  if (shownTitle !== '') writeTitle()
}

export function Page({ title, about, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    shownTitle = title
    writeTitle()
  }, [title])
  // A page that is opened from another is read from its title; the first one is read as it was loaded.
  useEffect(() => {
    if (isFirst) isFirst = false
    else heading.current?.focus()
  }, [])
  return (
    <>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && <p>{about}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  )
}
