/** The navigation: at the left on a desktop, a bar at the bottom on a telephone. */
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type ConsolePage, groups, pages } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { signOut, useSignedIn } from '../session.ts'
import { readTheme, setTheme, type Theme } from '../theme.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { BottomBar } from './bar.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { shellWords } from './words.ts'

function useShownPages(): ConsolePage[] {
  const { user } = useSignedIn()
  return pages.filter(({ hidden, adminOnly }) => !hidden && (!adminOnly || user.role === 'ADMIN'))
}

function useCurrent(): (path: string) => 'page' | undefined {
  const [place] = useLocation()
  return (path) => (place === path || (path !== '/' && place.startsWith(`${path}/`)) ? 'page' : undefined)
}

function Links({ onFollow }: { onFollow?: () => void }) {
  const language = useLanguage()
  const current = useCurrent()
  const shown = useShownPages()
  const names = Object.keys(groups) as (keyof typeof groups)[]
  return names
    .map((group) => ({ group, found: shown.filter((page) => page.group === group) }))
    .filter(({ found }) => found.length > 0)
    .map(({ group, found }) => (
      <div key={group}>
        {groups[group] && <h2 className="group">{groups[group][language]}</h2>}
        <ul>
          {found.map(({ path, name, icon }) => (
            <li key={path}>
              <Link href={path} className="nav-link" aria-current={current(path)} onClick={onFollow}>
                <Icon name={icon} />
                {name[language]}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))
}

export function Side() {
  const words = useWords(shellWords)
  return (
    <nav className="side" aria-label={words.navigation}>
      <Link href="/" className="brand">
        <img src="/console/icon.svg" alt="" />
        Ramal
      </Link>
      <Links />
      <Who />
    </nav>
  )
}

function Who() {
  const words = useWords(shellWords)
  const { user, account } = useSignedIn()
  return (
    <div className="who">
      <div className="line">
        <div className="names">
          <strong>{user.name}</strong>
          <span className="faint">{account.name === user.name ? user.email : account.name}</span>
        </div>
        <button
          type="button"
          className="button plain icon-only small"
          aria-label={words.signOut}
          title={words.signOut}
          onClick={() => void signOut()}
        >
          <Icon name="signout" />
        </button>
      </div>
      <div className="line">
        <ThemeChoice />
        <LanguageChoice isShort />
      </div>
    </div>
  )
}

export function ThemeChoice() {
  const words = useWords(shellWords)
  const [theme, choose] = useState(readTheme)
  return (
    <label className="row theme">
      <span className="visually-hidden">{words.theme}</span>
      <Icon name="sun" />
      <select
        className="input"
        value={theme}
        onChange={(event) => {
          const chosen = event.target.value as Theme
          setTheme(chosen)
          choose(chosen)
        }}
      >
        {(['auto', 'light', 'dark'] as const).map((one) => (
          <option key={one} value={one}>
            {words.themes[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** On a small screen. */
export function Bar() {
  const language = useLanguage()
  const current = useCurrent()
  const links = useShownPages().map(({ path, name, icon }) => ({
    path,
    name: name[language],
    icon,
    current: current(path),
  }))
  return (
    <BottomBar
      links={links}
      rest={(close) => (
        <>
          <Links onFollow={close} />
          <Who />
        </>
      )}
    />
  )
}
