/** The frame of pages for people who have not signed in. */
import { type ReactNode, useEffect } from 'react'
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
    </main>
  )
}
