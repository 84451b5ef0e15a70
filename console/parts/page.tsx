/** The frame of a page: its title, which is also the tab's, and what can be done on it. */
import { type ReactNode, useEffect } from 'react'

type Props = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }

export function Page({ title, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Ramal`
  }, [title])
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </>
  )
}
