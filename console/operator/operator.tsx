/** The console of the operator (D320): nodes, accounts, numbers, rates, trunks, and what was changed. */
import '../look/operator.css'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { Field } from '../parts/forms/field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Refused } from '../parts/notice.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { LanguageChoice } from '../shell/language-choice.tsx'
import { ThemeChoice } from '../shell/navigation.tsx'
import { LoadedOutside, Outside } from '../shell/outside.tsx'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/language.ts'
import { Account } from './account/account.tsx'
import { Accounts } from './accounts.tsx'
import { LiveCalls } from './calls.tsx'
import { ChangeLog } from './change-log.tsx'
import { Numbers } from './numbers.tsx'
import { signIn, signOut, useAccess } from './operator-api.ts'
import { Overview } from './overview.tsx'
import { Rates } from './rates/rates.tsx'
import { Trunks } from './trunks/trunks.tsx'
import { operatorWords } from './words.ts'

export default function Operator() {
  const access = useAccess()
  return (
    <>
      <LoadedOutside query={access}>
        {(found) => (found ? <Signed version={found.version} /> : <TokenForm />)}
      </LoadedOutside>
      <Toasts />
    </>
  )
}

function TokenForm() {
  const words = useWords(operatorWords)
  const shell = useWords(shellWords)
  const form = useForm(async (values) => {
    await signIn((values.token ?? '').trim())
  })
  return (
    <Outside title={words.title} about={words.tokenAbout}>
      <form className="form" onSubmit={form.onSubmit}>
        <Field label={words.token} name="token" type="password" autoComplete="off" required autoFocus />
        <Refused error={form.refusal} />
        <button type="submit" className="button primary" disabled={form.isBusy}>
          {shell.signIn}
        </button>
      </form>
    </Outside>
  )
}

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
    { path: '/log', name: words.log, icon: 'audit' },
  ]
}

function Signed({ version }: { version: string }) {
  const words = useWords(operatorWords)
  const shell = useWords(shellWords)
  const places = usePlaces()
  const [place] = useLocation()
  const current = (path: string) => {
    if (place === path) return 'page'
    return path !== '/' && place.startsWith(`${path}/`) ? 'true' : undefined
  }
  return (
    <>
      <a className="skip" href="#content">
        {shell.skip}
      </a>
      <div className="shell operator">
        <nav className="side" aria-label={shell.navigation}>
          <span className="brand">
            <img src="/console/icon.svg" alt="" />
            {words.title}
          </span>
          <ul>
            {places.map(({ path, name, icon }) => (
              <li key={path}>
                <Link href={path} className="nav-link" aria-current={current(path)}>
                  <Icon name={icon} />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          <div className="who">
            <span className="faint">{version}</span>
            <div className="line">
              <ThemeChoice />
              <LanguageChoice isShort />
            </div>
            <button type="button" className="button small" onClick={() => void signOut()}>
              <Icon name="signout" />
              {shell.signOut}
            </button>
          </div>
        </nav>
        <main className="main" id="content" tabIndex={-1}>
          <div className="inner">
            <Switch>
              <Route path="/" component={Overview} />
              <Route path="/accounts" component={Accounts} />
              <Route path="/accounts/:domain" component={Account} />
              <Route path="/calls" component={LiveCalls} />
              <Route path="/numbers" component={Numbers} />
              <Route path="/rates" component={Rates} />
              <Route path="/trunks" component={Trunks} />
              <Route path="/log" component={ChangeLog} />
              <Route>
                <Redirect to="/" replace />
              </Route>
            </Switch>
          </div>
        </main>
        <nav className="bar" aria-label={shell.navigation}>
          {places.map(({ path, name, icon }) => (
            <Link key={path} href={path} aria-current={current(path)}>
              <Icon name={icon} />
              {name}
            </Link>
          ))}
        </nav>
      </div>
    </>
  )
}
