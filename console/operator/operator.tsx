/** The console of the operator (D320): nodes, accounts, numbers, rates, trunks, status, and what was changed. */
import '../look/operator.css'
import { Redirect, Route, Switch } from 'wouter'
import { Field } from '../parts/forms/field.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { Refused } from '../parts/notice.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { LoadedOutside, Outside } from '../shell/outside.tsx'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/language.ts'
import { Account } from './account/account.tsx'
import { Accounts } from './accounts.tsx'
import { LiveCalls } from './calls.tsx'
import { ChangeLog } from './change-log.tsx'
import { Bar, Side } from './navigation.tsx'
import { Numbers } from './numbers.tsx'
import { signIn, useAccess } from './operator-api.ts'
import { Overview } from './overview.tsx'
import { Rates } from './rates/rates.tsx'
import { Status } from './status/status.tsx'
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

function Signed({ version }: { version: string }) {
  const shell = useWords(shellWords)
  return (
    <>
      <a className="skip" href="#content">
        {shell.skip}
      </a>
      <div className="shell operator">
        <Side version={version} />
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
              <Route path="/status" component={Status} />
              <Route path="/log" component={ChangeLog} />
              <Route>
                <Redirect to="/" replace />
              </Route>
            </Switch>
          </div>
        </main>
        <Bar version={version} />
      </div>
    </>
  )
}
