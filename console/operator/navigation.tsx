/** The pages of the operator: at the side of a desktop, at the bottom of a telephone. */
import { Link, useLocation } from 'wouter'
import type { OperatorAccess } from '../../src/contract/operator.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { BottomBar } from '../shell/bar.tsx'
import { LanguageChoice } from '../shell/language-choice.tsx'
import { ThemeChoice } from '../shell/navigation.tsx'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/language.ts'
import { signOut } from './operator-api.ts'
import { operatorWords } from './words.ts'

type Place = { path: string; name: string; icon: IconName }

function usePlaces(): Place[] {
  const words = useWords(operatorWords)
  return [
    { path: '/', name: words.overview, icon: 'home' },
    { path: '/accounts', name: words.accounts, icon: 'users' },
    { path: '/calls', name: words.liveCalls, icon: 'live' },
    { path: '/numbers', name: words.numbers, icon: 'numbers' },
    { path: '/rates', name: words.rates, icon: 'credit' },
    { path: '/trunks', name: words.trunks, icon: 'integrations' },
    { path: '/status', name: words.status, icon: 'warning' },
    { path: '/log', name: words.log, icon: 'audit' },
    { path: '/operators', name: words.operators, icon: 'profile' },
  ]
}

function useCurrent() {
  const [place] = useLocation()
  return (path: string): 'page' | 'true' | undefined => {
    if (place === path) return 'page'
    return path !== '/' && place.startsWith(`${path}/`) ? 'true' : undefined
  }
}

function Links({ onFollow }: { onFollow?: () => void }) {
  const current = useCurrent()
  return (
    <ul>
      {usePlaces().map(({ path, name, icon }) => (
        <li key={path}>
          <Link href={path} className="nav-link" aria-current={current(path)} onClick={onFollow}>
            <Icon name={icon} />
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Who({ access }: { access: OperatorAccess }) {
  const shell = useWords(shellWords)
  return (
    <div className="who">
      {access.operator && <span title={access.operator.email}>{access.operator.name}</span>}
      <span className="faint">{access.version}</span>
      <div className="line">
        <ThemeChoice />
        <LanguageChoice isShort />
      </div>
      <button type="button" className="button small" onClick={() => void signOut()}>
        <Icon name="signout" />
        {shell.signOut}
      </button>
    </div>
  )
}

export function Side({ access }: { access: OperatorAccess }) {
  const words = useWords(operatorWords)
  const shell = useWords(shellWords)
  return (
    <nav className="side" aria-label={shell.navigation}>
      <span className="brand">
        <img src="/console/icon.svg" alt="" />
        {words.title}
      </span>
      <Links />
      <Who access={access} />
    </nav>
  )
}

export function Bar({ access }: { access: OperatorAccess }) {
  const current = useCurrent()
  const links = usePlaces().map((place) => ({ ...place, current: current(place.path) }))
  return (
    <BottomBar
      links={links}
      rest={(close) => (
        <>
          <Links onFollow={close} />
          <Who access={access} />
        </>
      )}
    />
  )
}
